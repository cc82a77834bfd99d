import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../../src/core/ids.ts';
import { BREAKER } from '../../../fixtures/breaker.ts';
import { MANY } from '../../../fixtures/many.ts';
import { withSettings } from '../../conformance/replay-targets.ts';
import { only } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';
import { openNode } from '../temp-store.ts';

const SLICE = { events: 3, deliveries: MANY };

test('counts of jobs and events are exact while two nodes replay, settle, cancel and delete', async () => {
  const { stores, world, database } = await openNodes(2);
  const endpoint = await world.endpoint();
  const plain = await world.destination(endpoint);
  await world.events(
    endpoint,
    Array.from({ length: 24 }, (_, n) => ({ body: `{"key":${n % 3}}` })),
  );
  const ordered = await world.destination(endpoint, withSettings({ order_by: 'body.key' }));
  const targets = [[plain.id], [ordered.id], undefined];
  const jobs = await Promise.all(
    targets.map((destinationIds, n) =>
      world.store.replays.startJob(
        {
          ...{ id: newId('job', world.now + n), endpointKey: endpoint.key, now: world.now },
          ...(destinationIds ? { destinationIds } : {}),
          filter: {},
        },
        MANY,
      ),
    ),
  );
  const events = await world.listed(endpoint);
  const workers = stores.flatMap((store, node) => [
    async () => {
      for (let n = 0; n < 20; n++) await store.replays.workOff(world.now, SLICE);
    },
    async () => {
      for (let n = 0; n < 10; n++) {
        const claims = await store.queue.claimDue(world.now, {
          ...world.terms(),
          perDestination: 4,
        });
        for (const [i, claim] of claims.entries()) {
          const outcome = i % 3 === 0 ? 'dead' : 'succeeded';
          await store.queue.settle([world.settlement(claim, outcome)], BREAKER);
        }
      }
    },
    async () => {
      for (const { seq } of events.slice(node * 8, node * 8 + 8)) {
        const target = { to: 'destinations', ids: [ordered.id] } as const;
        await store.replays.replay(endpoint.key, seq, world.now, world.terms(), target);
      }
    },
    async () => {
      for (const { id } of events.slice(16 + node * 2, 18 + node * 2)) {
        await store.events.remove(endpoint.key, id);
      }
    },
  ]);
  await Promise.all([
    ...workers.map((work) => work()),
    world.store.replays.cancelJob(endpoint.key, jobs[1]?.id ?? ''),
  ]);
  const count = `
    SELECT job_key, state, count(*)::integer AS count FROM (
      SELECT job_key, 0 AS state FROM open_deliveries UNION ALL
      SELECT job_key, state FROM deliveries) v
    WHERE job_key IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 0 ORDER BY 1, 2`;
  const counted = `
    SELECT job_key, state, sum(count)::integer AS count FROM replay_counts
    GROUP BY 1, 2 HAVING sum(count) > 0 ORDER BY 1, 2`;
  const open = (rows: Record<string, unknown>[]) => rows.filter(({ state }) => state === 0);
  expect(open(await database.query(counted))).toEqual(open(await database.query(count)));
  // Statuses follow from the deliveries that count.
  const wrong = await database.query(`
    SELECT e.seq, e.open, e.dead, e.succeeded, c.open AS o, c.dead AS d, c.succeeded AS s
    FROM events e CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 0) AS open, count(*) FILTER (WHERE state = 1) AS succeeded,
        count(*) FILTER (WHERE state = 2) AS dead
      FROM (
        SELECT DISTINCT ON (destination_key) state FROM (
          SELECT destination_key, round, 0 AS state FROM open_deliveries WHERE event_seq = e.seq
          UNION ALL
          SELECT destination_key, round, state FROM deliveries WHERE event_seq = e.seq) v
        WHERE round >= coalesce(e.counted_from, e.round)
        ORDER BY destination_key, round DESC) n) c
    WHERE (e.open, e.succeeded, e.dead) IS DISTINCT FROM (c.open, c.succeeded, c.dead)`);
  expect(wrong).toEqual([]);
  // Each key has one head at most, and a head wherever deliveries wait.
  const heads = await database.query(`
    SELECT destination_key, order_key FROM open_deliveries WHERE order_key IS NOT NULL
    GROUP BY 1, 2 HAVING count(*) FILTER (WHERE NOT behind) <> 1`);
  expect(heads).toEqual([]);
});

test('no attempt of a cancelled job starts, and another node ends what a crash left open', async () => {
  const { world, database } = await openNodes(1);
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  await world.events(endpoint, [{}, {}, {}]);
  for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
  const { id } = await world.store.replays.startJob(
    { id: newId('job', world.now), endpointKey: endpoint.key, filter: {}, now: world.now },
    MANY,
  );
  await world.store.replays.workOff(world.now, SLICE);
  // The first commit of a cancellation whose process then died.
  await database.query('UPDATE replay_jobs SET state = 2');
  const claims = await world.claimDue();
  const begun = await world.store.queue.begin(claims, world.now + 1000, world.now);
  expect(begun).toEqual(claims.map(() => null));
  const other = await openNode(database.url);
  onTestFinished(() => other.close());
  await other.replays.workOff(world.now, SLICE);
  expect(await other.replays.job(endpoint.key, id)).toMatchObject({
    ...{ state: 'cancelled', queued: 3, delivered: 0 },
  });
  expect(await database.query('SELECT 1 FROM open_deliveries')).toEqual([]);
  expect(await other.replays.workOff(world.now, SLICE)).toBeNull();
});

test('replays to one new URL at once make one row, and no more than allowed', async () => {
  const { stores, world, database } = await openNodes(2);
  const endpoint = await world.endpoint();
  const event = await world.event(endpoint);
  const to = (url: string, n: number) => {
    const target = { to: 'url', url, id: newId('dst', world.now), mostUrls: 2 } as const;
    const { replays } = stores[n % 2] as (typeof stores)[number];
    return replays.replay(endpoint.key, event.seq, world.now, world.terms(), target);
  };
  await Promise.all([0, 1, 2, 3].map((n) => to('https://a.example', n)));
  const rows = await database.query<{ url: string }>('SELECT url FROM destinations WHERE one_off');
  expect(only(rows)).toEqual({ url: 'https://a.example' });
  const more = await Promise.allSettled([1, 2, 3].map((n) => to(`https://${n}.example`, n)));
  expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
