import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster, RoundRobin } from './node-cluster.ts';

/** How often all connections are cut. HOOKRELAY_TEST_CUTS=1000 makes a long run. */
const CUTS = Number(process.env.HOOKRELAY_TEST_CUTS ?? 60);

test('when all connections are cut at random under load, no node ends and nothing is lost', {
  timeout: 300_000,
}, async () => {
  const database = await tempMigratedDatabase();
  const target = await httpReceiver();
  const nodes = new NodeCluster(database.url);
  for (let place = 0; place < 2; place++) await nodes.start(place);
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, `${target.url}/hook`);
  const load = new RoundRobin(nodes, `/in/${endpoint.public_token}`, 8);
  for (let cut = 0; cut < CUTS; cut++) {
    await sleep(Math.random() * 100);
    await database.query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    expect(nodes.nodes.map(({ exit, stderr }) => exit && stderr)).toEqual([null, null]);
  }
  const before = load.acknowledged.size;
  await until('it goes on', () => load.acknowledged.size >= before + 100, 60_000);
  await load.stop();
  expect(nodes.alive).toHaveLength(2);

  const stored = await database.query<{ id: string }>('SELECT id FROM events');
  const ids = new Set(stored.map(({ id }) => id));
  expect([...load.acknowledged].filter((id) => !ids.has(id))).toEqual([]);
});
