import { expect, test } from 'vitest';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

failOnLeaks();
const server = serverOfFile();

/** Nine million steps, and it would drop the event. */
const FILTER = { $not: { body: { list: Array(450).fill({ $gt: 1 }) } } };
const bodyOf = (id: number) => JSON.stringify({ id, list: [...Array(20_000).fill(1), 2] });

async function setup(input: Record<string, unknown> = {}) {
  const account = await register(server);
  const endpoint = await account.createEndpoint({ dedupe: { by: ['body.id'] }, ...input });
  const target = await httpReceiver();
  const settings = { filter: FILTER, order_by: 'body.id' };
  await account.addDestination(endpoint, target.url, undefined, settings);
  const path = `/api/endpoints/${endpoint.id}`;
  const issue = () =>
    until('the issue is open', async () => {
      const { data } = expectStatus(200, await account.call('GET', '/api/issues?kind=unjudged'));
      return data[0] as { title: string; cause: string; event_ids: string[]; count: number };
    });
  return { account, endpoint, target, path, issue };
}

test('an event that a filter cannot judge says so, comes once, and opens an issue', async () => {
  const { account, endpoint, target, issue } = await setup();
  expect(endpoint.on_unjudged).toBe('deliver');
  const id = await capture(endpoint.capture_url, bodyOf(1));
  const repeat = await capture(endpoint.capture_url, bodyOf(1));
  await target.received(1);
  const unjudged = { reason: 'too_slow' };
  expect(await account.event(endpoint, id)).toMatchObject({
    unjudged,
    deliveries: [{ unjudged }],
  });
  expect(await account.event(endpoint, repeat)).toMatchObject({
    ...{ unjudged, duplicate_of: id, deliveries: [] },
  });
  const { data } = await account.list(endpoint, '?view=summary');
  expect(data.map((one) => one.unjudged)).toEqual([unjudged, unjudged]);
  expect(await issue()).toMatchObject({
    ...{ title: 'hooks: 1 event could not be judged', count: 1, event_ids: [id] },
    cause: expect.stringContaining('1 event went to every destination'),
  });
});

test('held, it waits for a retry by hand', async () => {
  const { account, endpoint, target, path, issue } = await setup({ on_unjudged: 'hold' });
  expect(endpoint.on_unjudged).toBe('hold');
  const id = await capture(endpoint.capture_url, bodyOf(1));
  const { cause } = await issue();
  expect(cause).toContain('The deliveries of 1 event wait for you.');
  const listed = expectStatus(200, await account.call('GET', `${path}/deliveries`));
  const waiting = { state: 'pending', waits_for: 'unjudged', next_attempt_at: null };
  expect(listed.data).toMatchObject([{ ...waiting, unjudged: { reason: 'too_slow' } }]);
  expect(expectStatus(200, await account.call('GET', '/api/overview'))).toMatchObject({
    waiting: { count: 1 },
  });
  // One that is judged goes past it: its key is another one.
  const judged = await capture(endpoint.capture_url, '{"id":2,"list":[1]}');
  await target.received(1);
  const retry = `/api/deliveries/${listed.data[0].id}/retry`;
  expectStatus(202, await account.call('POST', retry));
  const [, second] = await target.received(2);
  expect(target.requests[0]?.headers['webhook-id']).toBe(judged);
  expect(second?.headers['webhook-id']).toBe(id);
});

test('the choice is checked, changed and on record', async () => {
  const { account, endpoint, path } = await setup();
  const wrong = await account.call('PATCH', path, { on_unjudged: 'drop' });
  expect(expectStatus(400, wrong)).toMatchObject({
    error: { issues: [{ path: 'on_unjudged', message: 'must be deliver or hold' }] },
  });
  for (const on_unjudged of ['hold', null, 'hold'] as const) {
    const changed = expectStatus(200, await account.call('PATCH', path, { on_unjudged }));
    expect(changed.on_unjudged).toBe(on_unjudged ?? 'deliver');
  }
  const { data } = expectStatus(200, await account.call('GET', '/api/audit'));
  expect(data[0]).toMatchObject({
    ...{ action: 'endpoint.update', target: { id: endpoint.id } },
    changes: { on_unjudged: ['deliver', 'hold'] },
  });
});
