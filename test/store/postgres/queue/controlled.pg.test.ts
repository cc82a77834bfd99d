import { expect, test } from 'vitest';
import type { Destination, Endpoint } from '../../../../src/core/model.ts';
import {
  DEFAULT_DESTINATION_SETTINGS,
  type DestinationSettings,
} from '../../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../../src/store/contract/claims.ts';
import type { Settlement } from '../../../../src/store/contract/queue.ts';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { BREAKER } from '../../../fixtures/breaker.ts';
import { tempMigratedDatabase } from '../../../fixtures/postgres-database.ts';
import { until } from '../../../fixtures/until.ts';
import { LEASE_MS, only, World } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';
import { openNode } from '../temp-store.ts';

/*
 * Breaker, probe, ramp and rate are those of all nodes together. These tests ask two
 * nodes on one database at once.
 */

const FAILED: Partial<Settlement> = { reach: 'failed' };
const HELD = { reach: 'failed', next: { state: 'held' } } satisfies Partial<Settlement>;

interface Target {
  world: World;
  stores: [PostgresStore, PostgresStore];
  endpoint: Endpoint;
  destination: Destination;
  query: (sql: string) => Promise<Record<string, unknown>[]>;
}

async function target(settings: Partial<DestinationSettings>, events: number): Promise<Target> {
  const { world, stores, database } = await openNodes(2);
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint, {
    settings: { ...DEFAULT_DESTINATION_SETTINGS, ...settings },
  });
  await world.events(endpoint, Array(events).fill({}));
  const [a, b] = stores as [PostgresStore, PostgresStore];
  // The other node hears of the lane by a signal.
  a.cluster.send({ kind: 'due', destinationKeys: new Set([destination.key]) });
  await until('the other node knows the lane', async () => {
    return (await b.queue.nextDueAt(world.now, new Set())) !== null;
  });
  const query = (sql: string) => database.query<Record<string, unknown>>(sql);
  return { world, stores: [a, b], endpoint, destination, query };
}

/** Claims with 10 looks of each node at once. */
async function claimedAtOnce({ world, stores }: Target): Promise<ClaimedDelivery[]> {
  const terms = { ...world.terms(), perDestination: 1000 };
  const looks = Array.from({ length: 20 }, (_, i) =>
    (stores[i % 2] as PostgresStore).queue.claimDue(world.now, terms),
  );
  return (await Promise.all(looks)).flat();
}

/** Ten attempts fail, every second one settled by the other node, until the breaker is open. */
async function open({ world, stores, query, destination }: Target): Promise<void> {
  const claims = await world.claimDue();
  for (const [i, claim] of claims.slice(0, 10).entries()) {
    world.now += 6000;
    const settlement = world.settlement(claim, { retryInMs: 1 }, FAILED);
    await (stores[i % 2] as PostgresStore).queue.settle([settlement], BREAKER);
  }
  // The breaker wants a minute of failures.
  const late = claims[10] as ClaimedDelivery;
  world.now += 60_000;
  await stores[1].queue.settle([world.settlement(late, { retryInMs: 1 }, FAILED)], BREAKER);
  await stores[0].queue.release(claims.slice(11));
  const [row] = await query(`SELECT flow FROM destinations WHERE key = ${destination.key}`);
  expect(JSON.parse(String(row?.flow))).toMatchObject({ failing: { count: 11 }, breaker: {} });
}

test('an open breaker lets one probe go, however many nodes look at once', async () => {
  const on = await target({}, 12);
  await open(on);
  const { world, stores } = on;
  expect(await claimedAtOnce(on)).toEqual([]);
  for (let i = 0; i < 3; i++) {
    const next = await stores[i % 2 === 0 ? 1 : 0].queue.nextDueAt(world.now, new Set());
    world.now = next as number;
    const probe = only(await claimedAtOnce(on));
    expect(probe.probe).toBe(i % 2 === 0 ? 'oldest' : 'newest');
    // Newer deliveries come during the probe: it is found all the same.
    await world.events(on.endpoint, Array(600).fill({}));
    expect(await claimedAtOnce(on)).toEqual([]);
    for (const { queue } of stores) expect(await queue.nextDueAt(world.now, new Set())).toBeNull();
    await (stores[i % 2] as PostgresStore).queue.settle(
      [world.settlement(probe, 'dead', HELD)],
      BREAKER,
    );
  }
});

test('a probe by hand starts no second one beside the one under way', async () => {
  const on = await target({}, 12);
  await open(on);
  const { world, stores, endpoint, destination } = on;
  world.now = (await stores[1].queue.nextDueAt(world.now, new Set())) as number;
  const probe = only(await claimedAtOnce(on));
  await stores[1].destinations.probe(endpoint.key, destination.id, world.now);
  expect(await claimedAtOnce(on)).toEqual([]);
  // The node that probed died: its lease ends.
  world.now += LEASE_MS;
  expect(only(await claimedAtOnce(on))).toMatchObject({ probe: 'oldest', id: probe.id });
});

test('a probe whose node died holds the breaker for its timeout, not for its lease', async () => {
  const on = await target({ timeout: 3000 }, 12);
  await open(on);
  const { world, stores } = on;
  const claim = (attemptTimeoutMs: number) =>
    stores[1].queue.claimDue(world.now, {
      ...world.terms({ attemptTimeoutMs }),
      perDestination: 1000,
    });
  world.now = (await stores[1].queue.nextDueAt(world.now, new Set())) as number;
  const begunAt = world.now;
  const lost = only(await claim(10_000));
  const lostAt = (await stores[1].queue.nextDueAt(world.now, new Set())) as number;
  expect(lostAt - begunAt).toBe(5000);
  world.now = lostAt - 1;
  expect(await claim(10_000)).toEqual([]);
  // The lost delivery may still be recorded: another one is the next probe.
  world.now = lostAt;
  const probe = only(await claim(10_000));
  expect(probe).toMatchObject({ probe: 'oldest' });
  expect(probe.id).not.toBe(lost.id);
  expect(await claim(10_000)).toEqual([]);
  await stores[1].queue.settle([world.settlement(probe, 'succeeded')], BREAKER);
  expect(only(await claim(10_000)).probe).toBeNull();
});

test('two nodes that record failures at once lose none', async () => {
  const on = await target({}, 60);
  const { world, stores, query, destination } = on;
  const claims = await world.claimDue();
  // As the scheduler does: each node has one settlement under way at a time.
  await Promise.all(
    stores.map(async ({ queue }, node) => {
      for (const claim of claims.filter((_, i) => i % 2 === node)) {
        await queue.settle([world.settlement(claim, { retryInMs: 1 }, FAILED)], BREAKER);
      }
    }),
  );
  const [row] = await query(`SELECT flow FROM destinations WHERE key = ${destination.key}`);
  expect(JSON.parse(String(row?.flow)).failing.count).toBe(60);
});

test('a fixed concurrency is that of all nodes together', async () => {
  const on = await target({ concurrency: 3 }, 20);
  const claims = await claimedAtOnce(on);
  expect(claims).toHaveLength(3);
  expect(await claimedAtOnce(on)).toEqual([]);
  const [first] = claims as [ClaimedDelivery];
  await on.stores[1].queue.settle([on.world.settlement(first, 'succeeded')], BREAKER);
  expect(await claimedAtOnce(on)).toHaveLength(1);
});

test('a rate bounds the starts of all nodes together in any window', async () => {
  const on = await target({ rate: { limit: 5, per: 'second' } }, 40);
  const { world, stores } = on;
  const starts: number[] = [];
  for (let i = 0; i < 200 && starts.length < 40; i++) {
    const claims = await claimedAtOnce(on);
    // Each starts as late as it may.
    for (const claim of claims) starts.push(claim.start?.by as number);
    const settlements = claims.map((claim) => world.settlement(claim, 'succeeded'));
    await (stores[i % 2] as PostgresStore).queue.settle(settlements, BREAKER);
    world.now += 97;
  }
  expect(starts).toHaveLength(40);
  for (const [i, start] of starts.entries())
    expect((starts[i + 5] ?? Number.POSITIVE_INFINITY) - start).toBeGreaterThanOrEqual(1000);
});

test('a retry by hand counts in the rate', async () => {
  const on = await target({ rate: { limit: 3, per: 'hour' } }, 10);
  const { world, endpoint } = on;
  const window = { offset: 0, limit: 2, now: world.now };
  const { deliveries } = await world.store.deliveries.list(endpoint.key, {}, window);
  for (const { id } of deliveries) await world.store.deliveries.retry(id, world.now);
  const claims = await claimedAtOnce(on);
  expect(claims).toHaveLength(3);
  expect(claims.map(({ id }) => id)).toEqual(
    expect.arrayContaining(deliveries.map(({ id }) => id)),
  );
});

test('a cancelled retry by hand leaves nothing behind', async () => {
  const on = await target({}, 2);
  const { world, stores, endpoint, query, destination } = on;
  const window = { offset: 0, limit: 1, now: world.now };
  const { deliveries } = await world.store.deliveries.list(endpoint.key, {}, window);
  const { id } = only(deliveries);
  await world.store.deliveries.retry(id, world.now);
  await world.store.deliveries.cancel(id);
  expect(await claimedAtOnce(on)).toHaveLength(1);
  expect(await stores[1].queue.nextDueAt(world.now, new Set())).toBeNull();
  expect(await query(`SELECT flow FROM destinations WHERE key = ${destination.key}`)).toEqual([
    { flow: null },
  ]);
});

test('the lane of a paused destination is forgotten, and a signal brings it back', async () => {
  const on = await target({}, 5);
  const { world, stores, endpoint, destination } = on;
  const change = { at: world.now, by: null };
  const set = (state: 'paused' | 'active') =>
    stores[0].destinations.update(endpoint.key, destination.id, { settings: { state } }, change);
  await set('paused');
  // Both nodes look twice: the second look knows nothing of the lane.
  for (let i = 0; i < 2; i++) expect(await claimedAtOnce(on)).toEqual([]);
  await set('active');
  stores[0].cluster.send({ kind: 'due', destinationKeys: new Set([destination.key]) });
  const [, other] = stores;
  await until('the other node knows the lane', async () => {
    return (await other.queue.nextDueAt(world.now, new Set())) !== null;
  });
  const terms = { ...world.terms(), perDestination: 1000 };
  // The ramp after a pause lets one go.
  expect(await other.queue.claimDue(world.now, terms)).toHaveLength(1);
});

test('a late attempt of a claim from before a revival changes nothing', async () => {
  const on = await target({}, 1);
  const { world, stores, endpoint } = on;
  const late = only(await world.claimDue());
  world.now += LEASE_MS;
  const second = only(await world.claimDue());
  await world.settle(second, 'dead');
  await world.store.deliveries.retry(second.id, world.now);
  const third = only(await world.claimDue());
  await stores[0].queue.settle([world.settlement(late, 'succeeded')], BREAKER);
  const found = await world.store.deliveries.find(endpoint.userId, late.id, world.now);
  expect(found?.delivery.state).toBe('pending');
  const settled = await world.settle(third, 'succeeded');
  expect(settled).toMatchObject({ eventStatus: 'delivered', attempt: { number: 3 } });
});

test('claims, settlements, changes, retries, removals and captures at once never deadlock', async () => {
  const database = await tempMigratedDatabase();
  const stores = [await openNode(database.url), await openNode(database.url)] as const;
  const [store] = stores;
  const world = new World({ store, reopen: async () => store, close: async () => {} });
  const endpoint = await world.endpoint();
  const settings = { ...DEFAULT_DESTINATION_SETTINGS, concurrency: 50 };
  const destination = await world.destination(endpoint, { settings });
  await world.events(endpoint, Array(200).fill({}));
  const other = await world.destination(endpoint);
  const removed = await world.destination(endpoint);
  const terms = { ...world.terms(), limit: 20, perDestination: 10 };
  const work = stores.flatMap((store, node) => [
    (async () => {
      for (let i = 0; i < 25; i++) {
        const claims = await store.queue.claimDue(world.now, terms);
        const settlements = claims.map((claim, n) =>
          world.settlement(
            claim,
            n % 3 === 0 ? 'dead' : { retryInMs: 0 },
            n % 2 === 0 ? FAILED : {},
          ),
        );
        await store.queue.settle(node === 0 ? settlements : settlements.toReversed(), BREAKER);
      }
    })(),
    (async () => {
      for (let i = 0; i < 25; i++) {
        const { id } = i % 2 === node ? destination : other;
        const rate = i % 3 === 0 ? null : ({ limit: 100 + i, per: 'second' } as const);
        const change = { at: world.now, by: null };
        await store.destinations.update(endpoint.key, id, { settings: { rate } }, change);
        await store.destinations.probe(endpoint.key, id, world.now);
      }
    })(),
    (async () => {
      for (let i = 0; i < 15; i++) {
        const window = { offset: i, limit: 3, now: world.now };
        const state = i % 2 === 0 ? 'dead' : 'pending';
        const { deliveries } = await store.deliveries.list(endpoint.key, { state }, window);
        for (const { id } of deliveries) await store.deliveries.retry(id, world.now);
        for (const { id } of deliveries.slice(2)) await store.deliveries.cancel(id);
      }
    })(),
    (async () => {
      for (let i = 0; i < 15; i++) {
        await store.events.appendBatch([world.request(endpoint)], terms);
      }
    })(),
  ]);
  work.push(
    stores[0].destinations.remove(endpoint.key, removed.id, world.now, true).then(() => {}),
  );
  const failed = (await Promise.allSettled(work)).filter(({ status }) => status === 'rejected');
  // The server counts the deadlocks of a connection when it ends.
  await Promise.all(stores.map((one) => one.close()));
  expect(failed).toEqual([]);
  const [row] = await database.query<{ deadlocks: number }>(
    'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(row?.deadlocks).toBe(0);
  const wrong = await database.query(`
    SELECT * FROM (SELECT status, count(*) AS events FROM events GROUP BY 1) e
    FULL JOIN (SELECT status, sum(count) AS counted FROM event_counts GROUP BY 1) c USING (status)
    WHERE coalesce(events, 0) <> coalesce(counted, 0)`);
  expect(wrong).toEqual([]);
});
