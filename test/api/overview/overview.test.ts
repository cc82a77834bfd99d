import { expect, test } from 'vitest';
import type { OverviewAnswer } from '../../../src/api/overview/overview-answer.ts';
import { callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { makeToken } from '../../fixtures/api-tokens.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { runServer } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

test('the overview adds up all endpoints that the token may see', async () => {
  const server = await runServer();
  const account = await register(server);
  const stranger = await register(server);
  const target = await httpReceiver(status(200));
  const one = await account.createEndpoint({ name: 'one' });
  const two = await account.createEndpoint({ name: 'two', expect_every: '1s' });
  await account.addDestination(one, target.url);
  const paused = await account.addDestination(two, `${target.url}/two`);
  const path = `/api/endpoints/${two.id}/destinations/${paused.id}`;
  expectStatus(200, await account.call('PATCH', path, { state: 'paused', name: 'billing' }));
  for (let i = 0; i < 3; i++) await capture(one.capture_url);
  await capture(two.capture_url);
  const read = async (
    query = '',
    authorization = account.authorization,
  ): Promise<OverviewAnswer> => {
    const answer = await callApi(server, 'GET', `/api/overview${query}`, undefined, {
      headers: { authorization },
    });
    return expectStatus(200, answer) as OverviewAnswer;
  };
  await until('all is delivered', async () => (await read()).totals.events.delivered === 3);
  await until('the silence is noticed', async () => (await read()).silent.length === 1);

  const found = await read();
  expect(found).toMatchObject({ range: 'day', bucket_ms: 1_800_000 });
  expect(found.buckets).toHaveLength(48);
  expect(Date.parse(found.to) - Date.parse(found.from)).toBe(48 * 1_800_000);
  expect(found.totals).toMatchObject({
    events: { received: 1, delivered: 3, failed: 0, dead_letter: 0 },
    attempts: { succeeded: 3, failed: 0 },
    sampled: false,
  });
  expect(found.totals.latency?.p50).toBeLessThanOrEqual(found.totals.latency?.p99 as number);
  const sum = (events: number[]) => events.reduce((a, b) => a + b, 0);
  expect(sum(found.buckets.map(({ events }) => events.delivered))).toBe(3);
  expect(found.waiting).toMatchObject({ count: 1, at_least: false });
  expect(found.destinations).toMatchObject([
    { id: paused.id, endpoint_id: two.id, name: 'billing', state: 'paused', waiting: { count: 1 } },
  ]);
  expect(found.silent).toEqual([
    { endpoint_id: two.id, name: 'two', last_at: expect.any(String), expect_every: '1s' },
  ]);
  expect(found.issues.open).toBe(1);
  expect(found.issues.newest).toMatchObject([{ kind: 'silence', endpoint_id: two.id }]);
  const ofOne = found.endpoints.find(({ endpoint_id }) => endpoint_id === one.id);
  expect(ofOne).toMatchObject({ events: 3, failed: 0, dead_letter: 0 });
  expect(sum(ofOne?.buckets ?? [])).toBe(3);

  expect((await read('?range=hour')).buckets).toHaveLength(60);
  expect((await read('?range=week')).buckets).toHaveLength(84);
  const wrong = await account.call('GET', '/api/overview?range=year');
  expect(expectStatus(400, wrong).error.code).toBe('invalid_input');

  const token = await makeToken(server, account, { endpoint_ids: [one.id] });
  const limited = await read('', token.authorization);
  expect(limited.totals.events).toMatchObject({ received: 0, delivered: 3 });
  expect(limited.endpoints.map(({ endpoint_id }) => endpoint_id)).toEqual([one.id]);
  expect([limited.destinations, limited.silent, limited.issues.newest]).toEqual([[], [], []]);

  const empty = await read('', stranger.authorization);
  expect(sum(Object.values(empty.totals.events))).toBe(0);
});
