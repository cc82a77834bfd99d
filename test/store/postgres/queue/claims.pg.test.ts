import { expect, test } from 'vitest';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { BREAKER } from '../../../fixtures/breaker.ts';
import { LEASE_MS, only } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';

const terms = (now: number) => ({
  leaseUntil: now + LEASE_MS,
  limit: 1000,
  perDestination: 1000,
  skip: new Set<number>(),
});

test('nodes that claim at once share the due deliveries, each delivery to one node', async () => {
  const { stores, world } = await openNodes(3);
  const endpoint = await world.endpoint();
  for (let i = 0; i < 4; i++) await world.destination(endpoint);
  await world.events(endpoint, Array(100).fill({}));
  const claims = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      (stores[i % 3] as PostgresStore).queue.claimDue(world.now, {
        ...terms(world.now),
        limit: 20,
        perDestination: 5,
      }),
    ),
  );
  claims.push(await world.claimDue());
  const ids = claims.flat().map(({ id }) => id);
  expect(ids).toHaveLength(400);
  expect(new Set(ids).size).toBe(400);
});

test('other nodes claim a dead node’s deliveries when its leases end', async () => {
  const { stores, world } = await openNodes(2);
  const [dead, alive] = stores as [PostgresStore, PostgresStore];
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  await world.events(endpoint, [{}, {}]);
  const [waiting, running] = await dead.queue.claimDue(world.now, terms(world.now));
  if (!waiting || !running) throw new Error('two were due');
  await dead.queue.begin([running], world.now + 2 * LEASE_MS, world.now);
  // The node is silent from here. Nobody touches its claims until their leases end.
  expect(await alive.queue.claimDue(world.now + LEASE_MS - 1, terms(world.now))).toEqual([]);
  const first = only(await alive.queue.claimDue(world.now + LEASE_MS, terms(world.now + LEASE_MS)));
  expect(first.id).toBe(waiting.id);
  const later = world.now + 2 * LEASE_MS;
  const second = (await alive.queue.claimDue(later, terms(later))).find(
    ({ id }) => id === running.id,
  );
  if (!second) throw new Error('the other lease has ended too');
  // The node wasn't dead after all: its attempt is recorded, and changes nothing.
  const late = only(await dead.queue.settle([world.settlement(running, 'dead')], BREAKER));
  expect(late).toMatchObject({ eventStatus: 'received', attempt: { number: 1 } });
  const settled = only(await alive.queue.settle([world.settlement(second, 'succeeded')], BREAKER));
  expect(settled).toMatchObject({ eventStatus: 'delivered' });
});

test('an event has the right status after two nodes settle its deliveries at once', async () => {
  const { stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  await world.destination(endpoint);
  for (let round = 0; round < 10; round++) {
    const events = await world.events(endpoint, Array(20).fill({}));
    const claims = await world.claimDue();
    const half = (odd: number) => claims.filter((_, i) => i % 2 === odd);
    const settleAll = (store: PostgresStore, some: typeof claims) =>
      store.queue.settle(
        some.map((claim) => world.settlement(claim, 'succeeded')),
        BREAKER,
      );
    // Opposite orders: locks taken one by one would deadlock.
    await Promise.all([settleAll(a, half(0)), settleAll(b, half(1).toReversed())]);
    for (const event of events) expect(await world.status(endpoint, event)).toBe('delivered');
  }
  const counted = await world.store.events.list(
    { endpointKeys: [endpoint.key] },
    { status: 'delivered' },
    { offset: 0, limit: 1 },
  );
  expect(counted.total).toBe(200);
});

test('counters are exact while every node captures, settles, replays and deletes', async () => {
  const { database, stores, world } = await openNodes(3);
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  await Promise.all(
    stores.map(async (store, i) => {
      for (let round = 0; round < 15; round++) {
        const { claimed, results } = await store.events.appendBatch(
          Array.from({ length: 5 }, () => world.request(endpoint)),
          world.terms(),
        );
        const outcome = (['succeeded', 'dead', { retryInMs: 0 }] as const)[(round + i) % 3];
        await store.queue.settle(
          claimed.map((claim) => world.settlement(claim, outcome ?? 'dead')),
          BREAKER,
        );
        const [one] = results;
        if (one?.stored) {
          await store.replays.replay(endpoint.key, one.event.seq, world.now, world.terms());
        }
        if (round % 5 === 4) await store.upkeep.retireSlice({ before: world.now + 1 }, 3);
      }
    }),
  );
  const wrong = await database.query(`
    SELECT * FROM (SELECT status, count(*) AS events FROM events GROUP BY 1) e
    FULL JOIN (SELECT status, sum(count) AS counted FROM event_counts GROUP BY 1) c USING (status)
    WHERE coalesce(events, 0) <> coalesce(counted, 0)`);
  expect(wrong).toEqual([]);
});

test('a clock set back moves due times once, however many nodes notice it', async () => {
  const { stores, world } = await openNodes(3);
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  await world.event(endpoint, { receivedAt: world.now + 3_600_000 });
  await Promise.all(stores.map(({ queue }, i) => queue.shiftDue(-3_600_000 - i)));
  const next = await world.store.queue.nextDueAt(world.now, new Set());
  expect(Math.abs((next ?? 0) - world.now)).toBeLessThan(10);
});

test('a clock set ahead ends no live claim of a node that has not noticed it', async () => {
  const { stores, world } = await openNodes(2);
  const [late, first] = stores as [PostgresStore, PostgresStore];
  const HOUR_MS = 3_600_000;
  const now = first.clock.now();
  const before = now - HOUR_MS;
  const [byOldTime, byNewTime] = await Promise.all(
    [before, now].map(async (receivedAt) => {
      const endpoint = await world.endpoint();
      const destination = await world.destination(endpoint);
      return { destination, event: await world.event(endpoint, { receivedAt }) };
    }),
  );
  if (!byOldTime || !byNewTime) throw new Error('two were captured');
  expect(await late.queue.claimDue(before, terms(before))).toHaveLength(1);
  const skip = new Set([byOldTime.destination.key]);
  expect(await first.queue.claimDue(now, { ...terms(now), skip })).toHaveLength(1);

  await first.queue.shiftDue(HOUR_MS, { after: before, before: now - LEASE_MS });
  expect(await first.queue.claimDue(now + LEASE_MS - 1, terms(now))).toEqual([]);
  // The lease by the new time didn't move.
  expect(await first.queue.claimDue(now + LEASE_MS, terms(now + LEASE_MS))).toHaveLength(2);
});

test('nodes use the time of the database, whatever their own clocks say', async () => {
  const { stores, database } = await openNodes(2);
  const [row] = await database.query<{ ms: string }>(
    'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
  );
  for (const { clock } of stores) {
    expect(Math.abs(clock.now() - Number(row?.ms))).toBeLessThan(1000);
  }
});

test('a removed destination or endpoint gets no more rows, whatever is under way', async () => {
  const { database, stores, world } = await openNodes(3);
  const [a, b, c] = stores as [PostgresStore, PostgresStore, PostgresStore];
  for (let round = 0; round < 5; round++) {
    const endpoint = await world.endpoint();
    const destination = await world.destination(endpoint);
    let removed = false;
    const capture = async (store: PostgresStore) => {
      while (!removed) {
        await store.events.appendBatch([world.request(endpoint)], world.terms({ limit: 0 }));
      }
    };
    const capturing = [capture(a), capture(b)];
    await c.destinations.remove(endpoint.key, destination.id, world.now, true);
    const open = await database.query(
      `SELECT 1 FROM open_deliveries WHERE destination_key = ${destination.key}`,
    );
    expect(open).toEqual([]);
    await c.endpoints.remove(endpoint.key, world.now);
    removed = true;
    await Promise.all(capturing);
    while ((await c.upkeep.purgeSlice(1000)).more);
  }
  for (const table of [
    ...['events', 'event_contents', 'failed_events', 'open_deliveries', 'deliveries'],
    ...['event_counts', 'endpoints'],
  ]) {
    expect(await database.query(`SELECT * FROM ${table}`), table).toEqual([]);
  }
});
