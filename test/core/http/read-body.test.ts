import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { HookrelayError } from '../../../src/core/errors.ts';
import { type BodyLimits, readBody } from '../../../src/core/http/read-body.ts';

type Outcome = Buffer | HookrelayError;

interface Sender {
  socket: Socket;
  /** The result of `readBody` for the request on this connection. */
  outcome: Promise<Outcome>;
  /** Resolves when the server has the request's head. */
  begun: Promise<IncomingMessage>;
}

/** Sends raw bytes to a real server that reads bodies under these limits. */
async function send(
  limits: BodyLimits,
  head: string,
  prepare: (req: IncomingMessage) => Promise<unknown> | undefined = () => undefined,
): Promise<Sender> {
  const begun = Promise.withResolvers<IncomingMessage>();
  const outcome = Promise.withResolvers<Outcome>();
  const server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
    begun.resolve(req);
    await prepare(req);
    try {
      outcome.resolve(await readBody(req, limits));
    } catch (error) {
      outcome.resolve(error as HookrelayError);
    }
    res.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(async () => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
  return { socket, outcome: outcome.promise, begun: begun.promise };
}

const chunk = (bytes: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ]);
const LAST_CHUNK = '0\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked';

test('a body arrives as sent, declared or chunked, in one piece or many', async () => {
  const body = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 256));
  const declared = await send({ maxBytes: body.length }, `Content-Length: ${body.length}`);
  for (let i = 0; i < body.length; i += 7000) declared.socket.write(body.subarray(i, i + 7000));
  expect(body.equals((await declared.outcome) as Buffer)).toBe(true);

  const chunked = await send({ maxBytes: body.length }, CHUNKED);
  for (let i = 0; i < body.length; i += 999) chunked.socket.write(chunk(body.subarray(i, i + 999)));
  chunked.socket.write(LAST_CHUNK);
  expect(body.equals((await chunked.outcome) as Buffer)).toBe(true);
});

test.each(['Content-Length: 0', 'X-None: 1'])(
  'a request without a body has an empty one: %s',
  async (head) => {
    const { outcome } = await send({ maxBytes: 0 }, head);
    expect(await outcome).toEqual(Buffer.alloc(0));
  },
);

test('an empty chunked body is empty', async () => {
  const { socket, outcome } = await send({ maxBytes: 0 }, CHUNKED);
  socket.write(LAST_CHUNK);
  expect(await outcome).toEqual(Buffer.alloc(0));
});

test('a declared length over the limit is refused before the first byte', async () => {
  const { outcome } = await send({ maxBytes: 10 }, 'Content-Length: 11');
  expect(await outcome).toMatchObject({ code: 'payload_too_large' });
});

test('a declared length at the limit is read', async () => {
  const { socket, outcome } = await send({ maxBytes: 10 }, 'Content-Length: 10');
  socket.write('0123456789');
  expect(await outcome).toEqual(Buffer.from('0123456789'));
});

test('a chunked body is refused at the byte that exceeds the limit', async () => {
  const reserved: number[] = [];
  const limits = { maxBytes: 10, reserve: (bytes: number) => reserved.push(bytes) > 0 };
  const { socket, outcome } = await send(limits, CHUNKED);
  socket.write(chunk('0123456789'));
  socket.write(chunk('x'));
  // Without an end: it isn't waited for.
  expect(await outcome).toMatchObject({ code: 'payload_too_large' });
  expect(reserved).not.toContain(1);
});

test('a chunked body at the limit is read', async () => {
  const { socket, outcome } = await send({ maxBytes: 10 }, CHUNKED);
  socket.write(chunk('01234'));
  socket.write(chunk('56789'));
  socket.write(LAST_CHUNK);
  expect(await outcome).toEqual(Buffer.from('0123456789'));
});

test('a refused body is not read further', async () => {
  const { socket, outcome, begun } = await send({ maxBytes: 10 }, CHUNKED);
  socket.write(chunk('x'.repeat(11)));
  await outcome;
  const req = await begun;
  expect(req.isPaused()).toBe(true);
  expect(req.listenerCount('data')).toBe(0);
});

test('every chunk reserves memory, and a refusal ends the reading', async () => {
  const asked: number[] = [];
  const limits = { maxBytes: 1000, reserve: (bytes: number) => asked.push(bytes) < 2 };
  const { socket, outcome, begun } = await send(limits, CHUNKED);
  await begun;
  socket.write(chunk('abc'));
  socket.write(chunk('de'));
  expect(await outcome).toMatchObject({ code: 'overloaded', retryAfterS: expect.any(Number) });
  expect(asked).toEqual([3, 2]);
});

test('a request that breaks off is an error', async () => {
  for (const [head, part] of [
    ['Content-Length: 10', '01234'],
    [CHUNKED, String(chunk('01234'))],
    ['Content-Length: 10', ''],
  ] as const) {
    const { socket, outcome, begun } = await send({ maxBytes: 10 }, head);
    socket.write(part);
    await begun;
    socket.destroy();
    expect(await outcome).toMatchObject({ code: 'invalid_input' });
  }
});

test('a request that broke off before it was read is an error too', async () => {
  const { socket, outcome, begun } = await send(
    { maxBytes: 10 },
    'Content-Length: 10',
    (req) => new Promise((resolve) => req.once('close', resolve)),
  );
  await begun;
  socket.destroy();
  expect(await outcome).toMatchObject({ code: 'invalid_input' });
}, 3000);

test('a body that arrived before it was read is read', async () => {
  const { socket, outcome } = await send(
    { maxBytes: 10 },
    'Content-Length: 4',
    () => new Promise((resolve) => setImmediate(resolve)),
  );
  socket.end('body');
  expect(await outcome).toEqual(Buffer.from('body'));
});

test('a body that takes too long ends at its deadline, however steadily it drips', async () => {
  const { socket, outcome } = await send({ maxBytes: 1e6, deadlineMs: 100 }, CHUNKED);
  const dripping = setInterval(() => socket.write(chunk('x')), 10);
  onTestFinished(() => clearInterval(dripping));
  expect(await outcome).toMatchObject({ code: 'request_timeout' });
});

test('a body in time leaves no timer', async () => {
  const before = timers();
  const { socket, outcome, begun } = await send(
    { maxBytes: 10, deadlineMs: 60_000 },
    'Content-Length: 2',
  );
  await begun;
  socket.write('ok');
  expect(await outcome).toEqual(Buffer.from('ok'));
  expect(timers()).toBeLessThanOrEqual(before);
});

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
