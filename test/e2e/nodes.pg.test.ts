import { expect, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { Follower } from './follower.ts';
import { NodeCluster, RoundRobin } from './node-cluster.ts';

/*
 * Three nodes on one PostgreSQL behind a round-robin balancer, killed with -9 at random.
 */

/** Kills in a run. HOOKRELAY_TEST_KILLS=50 makes a long one. */
const KILLS = Number(process.env.HOOKRELAY_TEST_KILLS ?? 3);
const SENDERS = 8;
/** Other nodes take a dead node's attempts after the attempt's timeout and a minute. */
const TAKEOVER_MS = 120_000;

test('nothing is lost when nodes are killed', { timeout: 300_000 }, async () => {
  const database = await tempMigratedDatabase();
  const target = await httpReceiver();
  const nodes = new NodeCluster(database.url);
  for (let place = 0; place < 3; place++) await nodes.start(place);
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, `${target.url}/hook`);
  const follower = new Follower(nodes, account);
  await until('it follows', () => follower.frames.length > 0);

  const load = new RoundRobin(nodes, `/in/${endpoint.public_token}`, SENDERS);
  const kills: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = load.acknowledged.size + 50 + Math.floor(Math.random() * 100);
    await until(`${enough} are acknowledged`, () => load.acknowledged.size >= enough, 60_000);
    const place = Math.floor(Math.random() * 3);
    const victim = nodes.nodes[place];
    victim?.kill('SIGKILL');
    kills.push(Date.now());
    await victim?.exited();
    follower.move();
    await nodes.start(place);
  }
  const enough = load.acknowledged.size + 100;
  await until('they go on', () => load.acknowledged.size >= enough, 60_000);
  await load.stop();

  // Every acknowledged event is there, and every delivery is made in time.
  const stored = await database.query<{ id: string }>('SELECT id FROM events ORDER BY seq');
  const ids = stored.map(({ id }) => id);
  expect([...load.acknowledged].filter((id) => !ids.includes(id))).toEqual([]);
  const open = async () => (await database.query('SELECT 1 FROM open_deliveries')).length === 0;
  await until('every delivery is made', open, TAKEOVER_MS);
  const deliveries = Map.groupBy(target.requests, ({ headers }) =>
    String(headers['x-hookrelay-event']),
  );
  expect(ids.filter((id) => !deliveries.has(id))).toEqual([]);

  // Only deliveries of a killed node come twice: a node died between the two.
  const twice = [...deliveries.values()].filter((requests) => requests.length > 1);
  for (const requests of twice) {
    const [first, ...again] = requests.map(({ at }) => at);
    for (const at of again) {
      expect(kills.some((killed) => killed >= (first as number) - 50 && killed <= at)).toBe(true);
    }
  }

  // The stream had every event and every attempt once, in order of sequence.
  const attempts = await database.query<{ id: string }>('SELECT id FROM attempts ORDER BY seq');
  await until('the stream has everything', () => {
    return (
      follower.idsOf('event').length >= ids.length &&
      follower.idsOf('attempt').length >= attempts.length
    );
  });
  expect(follower.idsOf('event')).toEqual(ids);
  expect(follower.idsOf('attempt')).toEqual(attempts.map(({ id }) => id));
  expect(follower.frames.filter(({ event }) => event === 'reset')).toEqual([]);

  // The counters agree with the rows.
  const wrong = await database.query(`
    SELECT * FROM (SELECT status, count(*) AS events FROM events GROUP BY 1) e
    FULL JOIN (SELECT status, sum(count) AS counted FROM event_counts GROUP BY 1) c USING (status)
    WHERE coalesce(events, 0) <> coalesce(counted, 0)`);
  expect(wrong).toEqual([]);
});
