import { expect, onTestFinished, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { Follower } from './follower.ts';
import { NodeCluster, RoundRobin } from './node-cluster.ts';

/* Two nodes whose PostgreSQL goes away under load. */

const SENDERS = 8;
/** Nodes take back what was under way after the attempt's timeout and a minute. */
const TAKEOVER_MS = 120_000;

test('nothing is lost when PostgreSQL goes away and comes back', { timeout: 300_000 }, async () => {
  const cluster = await PostgresCluster.start();
  onTestFinished(() => cluster.destroy());
  await cluster.query('CREATE DATABASE hookrelay');
  const target = await httpReceiver();
  const nodes = new NodeCluster(cluster.url('hookrelay'));
  for (let place = 0; place < 2; place++) await nodes.start(place);
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, `${target.url}/hook`);
  const follower = new Follower(nodes, account);
  await until('it follows', () => follower.frames.length > 0);
  const load = new RoundRobin(nodes, `/in/${endpoint.public_token}`, SENDERS);

  for (const mode of ['immediate', 'fast'] as const) {
    const before = load.acknowledged.size;
    await until('it runs', () => load.acknowledged.size >= before + 100, 60_000);
    await cluster.stopServer(mode);
    const answered = load.answers.length;
    await until('senders get that answer', () => load.answers.length >= answered + 100, 60_000);
    const meanwhile = load.answers.slice(answered + 2 * SENDERS);
    for (const answer of meanwhile) {
      expect(answer).toMatchObject({ status: 503, eventId: null });
      expect(Number(answer.retryAfter)).toBeGreaterThan(0);
    }
    for (const { url } of nodes.nodes) {
      expect((await fetch(`${url}/readyz`)).status).toBe(503);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('hookrelay_store_up 0');
    }
    await cluster.startServer();
  }
  const before = load.acknowledged.size;
  await until('it goes on by itself', () => load.acknowledged.size >= before + 100, 60_000);
  await load.stop();
  expect(nodes.alive).toHaveLength(2);

  const query = <T extends { id: string }>(sql: string) => cluster.query<T>(sql, [], 'hookrelay');
  const ids = (await query('SELECT id FROM events ORDER BY seq')).map(({ id }) => id);
  expect([...load.acknowledged].filter((id) => !ids.includes(id))).toEqual([]);
  await until(
    'every delivery is made',
    async () => (await query('SELECT id FROM open_deliveries')).length === 0,
    TAKEOVER_MS,
  );
  const delivered = new Set(target.requests.map(({ headers }) => headers['x-hookrelay-event']));
  expect(ids.filter((id) => !delivered.has(id))).toEqual([]);
  await until('the stream has everything', () => follower.idsOf('event').length >= ids.length);
  expect(follower.idsOf('event')).toEqual(ids);
});
