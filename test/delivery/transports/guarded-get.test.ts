import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/runtime/runtime.ts';
import { GuardedGet } from '../../../src/delivery/transports/webhook/guarded-get.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { hang, httpReceiver, status } from '../../fixtures/receiver.ts';

failOnLeaks();

function getter(allowPrivate = true): GuardedGet {
  const outbound = new GuardedGet({ allowPrivate, clock: systemClock });
  onTestFinished(() => outbound.close());
  return outbound;
}

const answering = (body: string) =>
  httpReceiver((_request, res) => {
    res.end(body);
  });

test('gets the body of a 200', async () => {
  const receiver = await answering('Grüße');
  expect(await getter().text(`${receiver.url}/a?b=c%20d`)).toBe('Grüße');
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: 'GET', target: '/a?b=c%20d' });
  expect(request?.headers).not.toHaveProperty('content-length');
});

test.each([201, 204, 404, 500])('takes no %d', async (code) => {
  const receiver = await httpReceiver(status(code));
  await expect(getter().text(receiver.url)).rejects.toThrow(`answered ${code}`);
});

test('follows no redirect', async () => {
  const other = await answering('other');
  const receiver = await httpReceiver(status(302, { location: other.url }));
  await expect(getter().text(receiver.url)).rejects.toThrow('answered 302');
  expect(other.requests).toHaveLength(0);
});

test('takes 64 KiB and no more', async () => {
  const most = await answering('x'.repeat(64 * 1024));
  expect(await getter().text(most.url)).toHaveLength(64 * 1024);
  const more = await answering('x'.repeat(64 * 1024 + 1));
  await expect(getter().text(more.url)).rejects.toThrow('too large');
});

test('reaches no private address and no plain http, unless the operator allows it', async () => {
  const receiver = await answering('');
  const { port } = new URL(receiver.url);
  for (const url of [receiver.url, `https://127.0.0.1:${port}/`, `https://localhost:${port}/`]) {
    await expect(getter(false).text(url)).rejects.toThrow(/not (?:public|allowed)/);
  }
  expect(receiver.requests).toHaveLength(0);
});

test('ends when it closes', async () => {
  const receiver = await httpReceiver(hang);
  const outbound = getter();
  const asked = outbound.text(receiver.url);
  const ended = expect(asked).rejects.toThrow('shutting down');
  await receiver.received(1);
  await outbound.close();
  await ended;
});
