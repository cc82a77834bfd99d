import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectStatus, register } from '../../fixtures/account.ts';
import { openStream } from '../../fixtures/event-stream.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, type Received } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/* Test events are events: captured, live, delivered, signed by their provider's scheme. */

failOnLeaks();
const server = serverOfFile();

test('samples are listed, and each can be sent', async () => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const samples = expectStatus(200, await account.call('GET', '/api/samples'));
  expect(samples.length).toBeGreaterThanOrEqual(20);
  for (const { name, provider } of samples) {
    const path = `/api/endpoints/${endpoint.id}/test-events`;
    const sent = expectStatus(201, await account.call('POST', path, { sample: name }));
    const event = await account.event(endpoint, sent.event_id);
    expect([name, event.method, event.status]).toEqual([name, 'POST', 'received']);
    if (provider !== 'standard') expect([name, event.provider]).toEqual([name, provider]);
    expect(event.headers).toMatchObject({
      host: new URL(server.url).host,
      'content-length': String(event.size),
    });
    expect(event.content_type).toBe(event.headers['content-type']);
  }
  expect((await account.list(endpoint)).total).toBe(samples.length);
});

test('a test event is delivered and signed like any other', async () => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const target = await httpReceiver();
  await account.addDestination(endpoint, target.url);
  const path = `/api/endpoints/${endpoint.id}/test-events`;
  const { event_id } = expectStatus(
    201,
    await account.call('POST', path, { sample: 'github.push' }),
  );
  await until('it is delivered', async () => {
    return (await account.event(endpoint, event_id)).status === 'delivered';
  });
  const [{ headers, body }] = (await target.received(1)) as [Received];
  const mac = createHmac('sha256', 'hookrelay-test-secret').update(body).digest('hex');
  expect(headers['x-hub-signature-256']).toBe(`sha256=${mac}`);
});

test('a test event appears live', async () => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const stream = await openStream(server, '/api/stream', account.authorization);
  const path = `/api/endpoints/${endpoint.id}/test-events`;
  const sent = expectStatus(
    201,
    await account.call('POST', path, { sample: 'stripe.invoice.paid' }),
  );
  const [frame] = await stream.received('event');
  expect(frame?.data.id).toBe(sent.event_id);
});

test('an unknown sample and a paused endpoint are refused', async () => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const path = `/api/endpoints/${endpoint.id}/test-events`;
  for (const body of [{}, { sample: 'nobody.nothing' }, { sample: 1 }]) {
    const answer = await account.call('POST', path, body);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_input']);
  }
  await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { is_active: false });
  const paused = await account.call('POST', path, { sample: 'github.push' });
  expect([paused.status, paused.json.error.code]).toEqual([404, 'endpoint_inactive']);
  expect((await account.list(endpoint)).total).toBe(0);
});
