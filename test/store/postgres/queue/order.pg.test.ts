import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Destination, Endpoint } from '../../../../src/core/model.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../../src/core/settings/destination-settings.ts';
import type { ClaimedDelivery } from '../../../../src/store/contract/claims.ts';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { BREAKER } from '../../../fixtures/breaker.ts';
import { type TestDatabase, tempMigratedDatabase } from '../../../fixtures/postgres-database.ts';
import { verdictOf } from '../../../fixtures/verdict.ts';
import { Random } from '../../conformance/random.ts';
import { LEASE_MS, only, type RequestPatch, World } from '../../conformance/world.ts';
import { openNode } from '../temp-store.ts';

/*
 * The order of a key is that of all nodes together. These tests run two nodes on one
 * database at once.
 */

const KEYS = ['a', 'b', 'c'];
/** Captures that a run has at least, however slow the machine is. */
const LEAST_CAPTURED = 100;
const NOTHING = { limit: 0, skip: new Set<number>(), leaseUntil: 0 };

/** Order keys whose one delivery that may go isn't the first of them. */
const WRONG_HEADS = `
  SELECT destination_key, order_key, count(*) FILTER (WHERE NOT behind) AS heads
  FROM open_deliveries WHERE order_key IS NOT NULL GROUP BY 1, 2
  HAVING count(*) FILTER (WHERE NOT behind) <> 1
    OR min(turn) <> min(turn) FILTER (WHERE NOT behind)`;

interface Nodes {
  database: TestDatabase;
  stores: PostgresStore[];
  world: World;
  endpoint: Endpoint;
  destination: Destination;
  keyed(key: string | null): RequestPatch;
  /** Closes the nodes, after which the server's count of deadlocks is complete. */
  deadlocks(): Promise<number>;
}

async function nodes(): Promise<Nodes> {
  const database = await tempMigratedDatabase();
  const stores = [await openNode(database.url), await openNode(database.url)];
  const close = () => Promise.all(stores.map((store) => store.close()));
  let closing: Promise<unknown> | undefined;
  onTestFinished(async () => {
    await (closing ?? close());
  });
  const [store] = stores as [PostgresStore];
  const world = new World({ store, reopen: async () => store, close: async () => {} });
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint, {
    settings: { ...DEFAULT_DESTINATION_SETTINGS, order_by: 'body.id' },
  });
  const version = (await world.judgeBy(endpoint))?.version ?? 0;
  const keyed = (key: string | null) => ({
    verdict: {
      ...verdictOf({ version }),
      orderKeys: key === null ? [] : [{ destinationKey: destination.key, key }],
    },
  });
  const deadlocks = async () => {
    closing = close();
    await closing;
    const [row] = await database.query<{ deadlocks: number }>(
      'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
    );
    return row?.deadlocks ?? -1;
  };
  return { database, stores, world, endpoint, destination, keyed, deadlocks };
}

/** Watches the claims of all nodes. That of a cancelled delivery lives until it is settled. */
class Watch {
  /** Live claims by order key. */
  readonly live = new Map<string, ClaimedDelivery>();
  /** Where each event was captured: by which sender, and its number there. */
  readonly sent = new Map<string, { sender: string; number: number }>();
  readonly #last = new Map<string, number>();
  readonly violations: string[] = [];

  claimed(claims: readonly ClaimedDelivery[]): void {
    for (const claim of claims) {
      const key = claim.orderKey as string;
      const before = this.live.get(key);
      if (before) this.violations.push(`${key}: ${claim.eventSeq} beside ${before.eventSeq}`);
      this.live.set(key, claim);
      const { sender, number } = this.sent.get(claim.eventId) as { sender: string; number: number };
      const last = this.#last.get(`${sender} ${key}`) ?? -1;
      if (number < last) this.violations.push(`${key}: ${number} of ${sender} after ${last}`);
      this.#last.set(`${sender} ${key}`, number);
    }
  }
}

test('two nodes never have two live claims of a key, nor another order than that of capture', async () => {
  const { database, stores, world, endpoint, keyed, deadlocks } = await nodes();
  const watch = new Watch();
  const endAt = Date.now() + 3000;
  let captured = 0;
  const isOver = () => Date.now() >= endAt && captured >= LEAST_CAPTURED;
  const capture = async (store: PostgresStore, sender: string, random: Random) => {
    for (let number = 0; !isOver(); number++) {
      const requests = Array.from({ length: 1 + random.below(3) }, () =>
        world.request(endpoint, keyed(random.pick(KEYS))),
      );
      for (const [i, { id }] of requests.entries()) {
        watch.sent.set(id, { sender, number: number * 10 + i });
      }
      const isHandedOver = random.below(2) === 0;
      const { claimed } = await store.events.appendBatch(
        requests,
        isHandedOver ? world.terms() : NOTHING,
      );
      watch.claimed(claimed);
      captured += requests.length;
    }
  };
  const work = async (store: PostgresStore, random: Random) => {
    while (!isOver()) {
      watch.claimed(
        await store.queue.claimDue(world.now, { ...world.terms(), perDestination: 100 }),
      );
      // Any node settles the claim of another: what matters is its token.
      const some = [...watch.live].filter(() => random.below(3) > 0);
      // It isn't live from here on: the next may be claimed before this call returns.
      for (const [key] of some) watch.live.delete(key);
      const settlements = some.map(([, claim]) =>
        world.settlement(
          claim,
          random.pick(['succeeded', 'succeeded', 'dead', { retryInMs: 0 }] as const),
        ),
      );
      await store.queue.settle(settlements, BREAKER);
      await sleep(2);
    }
  };
  const cancel = async (store: PostgresStore, random: Random) => {
    while (!isOver()) {
      await sleep(20);
      const window = { offset: random.below(5), limit: 2, now: world.now };
      const { deliveries } = await store.deliveries.list(
        endpoint.key,
        { state: 'pending' },
        window,
      );
      for (const { id } of deliveries) await store.deliveries.cancel(id);
    }
  };
  const check = async () => {
    while (!isOver()) {
      await sleep(50);
      watch.violations.push(
        ...(await database.query(WRONG_HEADS)).map((row) => JSON.stringify(row)),
      );
    }
  };
  const [a, b] = stores as [PostgresStore, PostgresStore];
  await Promise.all([
    ...[capture(a, 'a', new Random(1)), capture(b, 'b', new Random(2))],
    ...[work(a, new Random(3)), work(b, new Random(4))],
    ...[cancel(a, new Random(5)), cancel(b, new Random(6)), check()],
  ]);
  expect(watch.violations).toEqual([]);
  // All claims are lost. Their leases end, and the rest goes out in order.
  watch.live.clear();
  world.now += LEASE_MS + 1;
  for (let i = 0; ; i++) {
    const store = stores[i % 2] as PostgresStore;
    const claims = await store.queue.claimDue(world.now, {
      ...world.terms(),
      perDestination: 100,
    });
    if (claims.length === 0) break;
    watch.claimed(claims);
    watch.live.clear();
    await store.queue.settle(
      claims.map((claim) => world.settlement(claim, 'succeeded')),
      BREAKER,
    );
  }
  expect(watch.violations).toEqual([]);
  expect(await database.query('SELECT * FROM open_deliveries')).toEqual([]);
  expect(await deadlocks()).toBe(0);
});

test('the head of a dead node is claimed again when its lease ends, and nothing of its key before', async () => {
  const { stores, world, endpoint, keyed } = await nodes();
  const [dead, alive] = stores as [PostgresStore, PostgresStore];
  const events = await world.events(
    endpoint,
    ['a', 'a', 'b'].map((key) => keyed(key)),
  );
  const terms = () => ({ ...world.terms(), perDestination: 100 });
  expect(await dead.queue.claimDue(world.now, terms())).toHaveLength(2);
  world.now += LEASE_MS - 1;
  expect(await alive.queue.claimDue(world.now, terms())).toEqual([]);
  world.now++;
  const again = await alive.queue.claimDue(world.now, terms());
  expect(again.map(({ eventId }) => eventId)).toEqual([events[0]?.id, events[2]?.id]);
  await alive.queue.settle([world.settlement(again[0] as ClaimedDelivery, 'succeeded')], BREAKER);
  expect(only(await alive.queue.claimDue(world.now, terms())).eventId).toBe(events[1]?.id);
});

test('whatever moves deliveries of a few keys at once, it never deadlocks', async () => {
  const { database, stores, world, endpoint, destination, deadlocks } = await nodes();
  const other = await world.destination(endpoint, {
    settings: { ...DEFAULT_DESTINATION_SETTINGS, order_by: '*' },
  });
  const version = (await world.judgeBy(endpoint))?.version ?? 0;
  const both = (key: string): RequestPatch => ({
    verdict: {
      ...verdictOf({ version }),
      orderKeys: [
        { destinationKey: destination.key, key },
        { destinationKey: other.key, key: '*' },
      ],
    },
  });
  const endAt = Date.now() + 3000;
  const forAWhile = async (act: () => Promise<unknown>) => {
    while (Date.now() < endAt) {
      await act();
      await sleep(5);
    }
  };
  const work = stores.flatMap((store, node) => {
    const random = new Random(node + 1);
    const some = async (state: 'pending' | 'dead') => {
      const window = { offset: random.below(6), limit: 3, now: world.now };
      return (await store.deliveries.list(endpoint.key, { state }, window)).deliveries;
    };
    return [
      forAWhile(() =>
        store.events.appendBatch(
          Array.from({ length: 4 }, () => world.request(endpoint, both(random.pick(KEYS)))),
          random.below(2) === 0 ? world.terms({ limit: 3 }) : NOTHING,
        ),
      ),
      forAWhile(async () => {
        const claims = await store.queue.claimDue(world.now, {
          ...world.terms({ leaseUntil: world.now }),
          perDestination: 3,
        });
        const settlements = claims.map((claim, i) =>
          world.settlement(
            claim,
            i % 3 === 0 ? 'dead' : i % 3 === 1 ? 'succeeded' : { retryInMs: 0 },
          ),
        );
        await store.queue.settle(node === 0 ? settlements : settlements.toReversed(), BREAKER);
      }),
      forAWhile(async () => {
        for (const { id } of await some('pending')) await store.deliveries.cancel(id);
      }),
      forAWhile(async () => {
        for (const { id } of await some(random.pick(['dead', 'pending'] as const))) {
          await store.deliveries.retry(id, world.now);
        }
      }),
      forAWhile(async () => {
        const window = { offset: random.below(6), limit: 1 };
        const { events } = await store.events.list({ endpointKeys: [endpoint.key] }, {}, window);
        for (const { seq } of events) {
          await store.replays.replay(endpoint.key, seq, world.now, world.terms({ limit: 1 }));
        }
      }),
      forAWhile(async () => {
        // A pause is the point: without it, discards would leave nothing for the others.
        await sleep(300);
        await store.destinations.discard(endpoint.key, node === 0 ? destination.id : other.id);
      }),
    ];
  });
  const wrong: unknown[] = [];
  const check = async () => {
    // Looks in between: without a pause they would take the database from the nodes.
    await sleep(50);
    wrong.push(...(await database.query(WRONG_HEADS)));
  };
  work.push(forAWhile(check));
  const failed = (await Promise.allSettled(work)).filter(({ status }) => status === 'rejected');
  expect(failed).toEqual([]);
  expect(wrong).toEqual([]);
  const counts = await database.query(`
    SELECT * FROM (SELECT status, count(*) AS events FROM events GROUP BY 1) e
    FULL JOIN (SELECT status, sum(count) AS counted FROM event_counts GROUP BY 1) c USING (status)
    WHERE coalesce(events, 0) <> coalesce(counted, 0)`);
  expect(counts).toEqual([]);
  expect(await deadlocks()).toBe(0);
});

test('an ended claim holds its key while its holder renews it, and until it gives it back', async () => {
  const { database, stores, world, endpoint, keyed } = await nodes();
  const [holder, other] = stores as [PostgresStore, PostgresStore];
  const [, second] = await world.events(endpoint, [keyed('a'), keyed('a')]);
  const terms = () => ({ ...world.terms(), perDestination: 100 });
  const claim = only(await holder.queue.claimDue(world.now, terms()));
  await other.deliveries.cancel(claim.id);
  world.now += LEASE_MS - 1;
  await holder.queue.renew([claim], world.now + LEASE_MS);
  world.now += LEASE_MS - 1;
  expect(await other.queue.claimDue(world.now, terms())).toEqual([]);
  await holder.queue.release([claim]);
  expect(only(await other.queue.claimDue(world.now, terms())).eventId).toBe(second?.id);
  expect(await database.query('SELECT * FROM ended_claims')).toEqual([]);
});

test('a person retries a held delivery past the order, and its key waits for both attempts', async () => {
  const { database, stores, world, endpoint, keyed } = await nodes();
  const [store] = stores as [PostgresStore];
  const [, , third] = await world.events(
    endpoint,
    ['a', 'a', 'a'].map((key) => keyed(key)),
  );
  const first = only(await world.claimDue());
  await store.deliveries.cancel(first.id);
  const [next] = await database.query<{ id: string }>('SELECT id FROM open_deliveries WHERE held');
  await store.deliveries.retry(next?.id ?? '', world.now);
  const second = only(await world.claimDue());
  expect(second.id).toBe(next?.id);
  await store.deliveries.cancel(second.id);
  await world.settle(first, 'succeeded');
  expect(await world.claimDue()).toEqual([]);
  await world.settle(second, 'dead');
  expect(only(await world.claimDue()).eventId).toBe(third?.id);
  expect(await database.query('SELECT * FROM ended_claims')).toEqual([]);
});

test('a refused claim of a job that is being cancelled holds no key', async () => {
  const { database, stores, world, endpoint, destination } = await nodes();
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const patch = { settings: { ...DEFAULT_DESTINATION_SETTINGS, order_by: '*' } };
  await a.destinations.update(endpoint.key, destination.id, patch, { at: world.now, by: null });
  await world.event(endpoint, {
    verdict: verdictOf({ version: (await world.judgeBy(endpoint))?.version ?? 0 }),
  });
  await world.settle(only(await world.claimDue()), 'succeeded');
  const job = { id: 'job', endpointKey: endpoint.key, filter: {} };
  await a.replays.startJob({ ...job, now: world.now }, 10);
  const slice = { events: 100, deliveries: 100 };
  await a.replays.workOff(world.now, slice);
  const claim = only(await world.claimDue());
  expect(claim).toMatchObject({ orderKey: '*' });
  // As a crash leaves it.
  await database.query('UPDATE replay_jobs SET state = 2');
  expect(await a.queue.begin([claim], world.now + LEASE_MS, world.now)).toEqual([null]);
  expect(await world.claimDue()).toEqual([]);
  await b.replays.workOff(world.now, slice);
  expect(await database.query('SELECT * FROM open_deliveries')).toEqual([]);
  expect(await database.query('SELECT * FROM ended_claims')).toEqual([]);
  expect(await database.query('SELECT state FROM replay_jobs')).toEqual([{ state: 3 }]);
});

test('a replay locks the key of a delivery that a person revives meanwhile', async () => {
  const { database, stores, world, endpoint, destination, keyed } = await nodes();
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const event = await world.event(endpoint, keyed('a'));
  const claim = only(await world.claimDue());
  await world.settle(claim, 'dead');
  const patch = { settings: DEFAULT_DESTINATION_SETTINGS };
  await a.destinations.update(endpoint.key, destination.id, patch, { at: world.now, by: null });
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const waiting = (count: number) =>
    vi.waitFor(async () => {
      const rows = await database.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(count);
    }, 10_000);
  await client.query('BEGIN; SELECT 1 FROM events FOR UPDATE');
  const retrying = a.deliveries.retry(claim.id, world.now);
  await waiting(1);
  const replaying = b.replays.replay(endpoint.key, event.seq, world.now, NOTHING);
  await waiting(2);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  await client.query('ROLLBACK');
  await Promise.all([retrying, replaying]);
  const calls = query.mock.calls as unknown as [string | { name?: string }][];
  const names = calls.flatMap(([one]) => (typeof one === 'object' && one.name ? [one.name] : []));
  expect(names).toContain('lock orders');
  const open = await database.query('SELECT round, order_key FROM open_deliveries');
  expect(open).toEqual([{ round: 2, order_key: null }]);
});

test('captures and settlements without an order run no statement more', async () => {
  const { stores, world, endpoint, keyed } = await nodes();
  const [store] = stores as [PostgresStore];
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const ORDER = [
    ...['lock orders', 'open orders', 'free next'],
    ...['note ended claims', 'forget ended claims', 'hold heads'],
  ];
  const named = async (work: () => Promise<unknown>) => {
    query.mockClear();
    await work();
    const calls = query.mock.calls as unknown as [string | { name?: string; text: string }][];
    return calls.flatMap(([one]) => (typeof one === 'object' && one.name ? [one.name] : []));
  };
  const PLAIN_CAPTURE = ['numbers event_seqs true', 'endpoints by token', 'destinations', 'append'];
  const run = async (key: string | null) => {
    let claim: ClaimedDelivery | undefined;
    const captured = await named(async () => {
      const { claimed } = await world.capture(endpoint, [keyed(key)], world.terms());
      claim = only(claimed);
    });
    const settled = await named(() =>
      store.queue.settle([world.settlement(claim as ClaimedDelivery, 'succeeded')], BREAKER),
    );
    return { captured, settled };
  };
  const plain = await run(null);
  const ordered = await run('a');
  for (const name of [...plain.captured, ...plain.settled]) expect(ORDER).not.toContain(name);
  expect(plain.captured).toEqual(expect.arrayContaining([...PLAIN_CAPTURE, 'counts']));
  expect(ordered.captured).toEqual(expect.arrayContaining(['lock orders', 'open orders']));
  expect(ordered.settled).toEqual(expect.arrayContaining(['lock orders', 'free next']));
});
