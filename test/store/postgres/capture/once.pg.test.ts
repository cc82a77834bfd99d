import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../../src/core/model.ts';
import type { Dedupe } from '../../../../src/core/proof/dedupe.ts';
import type { Source } from '../../../../src/core/proof/source.ts';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import type { TestDatabase } from '../../../fixtures/postgres-database.ts';
import { until } from '../../../fixtures/until.ts';
import { verdictOf } from '../../../fixtures/verdict.ts';
import { Random } from '../../conformance/random.ts';
import { only, proofPatch, type RequestPatch, type World } from '../../conformance/world.ts';
import { type Nodes, openNodes } from '../nodes.ts';

/*
 * A key has one first event, whichever nodes claim it. These tests run several nodes on one
 * database at once.
 */

const DEDUPE: Dedupe = { by: ['body.id'], since: 'since' };
const SOURCE: Source = {
  ...{ provider: 'github', enforce: false, url: null, in: null, scheme: null },
  sealedSecrets: Buffer.of(0, 255, 39, 92),
};

interface Keyed extends Nodes {
  endpoint: Endpoint;
  /** A request that claims a key. */
  keyed(key: string, body?: string): RequestPatch;
}

async function keyedNodes(count: number): Promise<Keyed> {
  const nodes = await openNodes(count);
  const { world } = nodes;
  const endpoint = await world.endpoint({ dedupe: DEDUPE });
  await world.destination(endpoint);
  const version = await versionOf(world, endpoint);
  const keyed = (key: string, body = 'same') => ({
    verdict: verdictOf({ version, once: { key, body } }),
  });
  return { ...nodes, endpoint, keyed };
}

async function versionOf(world: World, endpoint: Endpoint): Promise<number> {
  const settings = await world.judgeBy(endpoint);
  if (!settings) throw new Error('the endpoint needs no verdict');
  return settings.version;
}

/** Closes the nodes, after which the server's count of deadlocks is complete. */
async function deadlocks({ stores, database }: Nodes): Promise<number> {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  const [row] = await database.query<{ deadlocks: number }>(
    'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? -1;
}

/** Events by what they are the duplicates of. */
function firsts(events: readonly { id: string; duplicateOf: string | null }[]): string[] {
  return events.filter(({ duplicateOf }) => duplicateOf === null).map(({ id }) => id);
}

test('one key, a hundred times at once from each of three nodes: one first, no deadlock', async () => {
  const nodes = await keyedNodes(3);
  const { stores, world, endpoint, keyed, database } = nodes;
  const appended = stores.flatMap((store) =>
    Array.from({ length: 100 }, () =>
      store.events.appendBatch([world.request(endpoint, keyed('key'))], world.terms()),
    ),
  );
  const batches = await Promise.all(appended);
  const events = await world.listed(endpoint);
  expect(events).toHaveLength(300);
  const first = only(firsts(events));
  const others = events.filter(({ id }) => id !== first);
  expect(new Set(others.map(({ duplicateOf }) => duplicateOf))).toEqual(new Set([first]));
  expect(events.filter(({ isConflicting }) => isConflicting)).toEqual([]);
  expect(only(batches.flatMap(({ claimed }) => claimed)).eventId).toBe(first);
  expect(await database.query('SELECT event_seq FROM open_deliveries')).toHaveLength(1);
  expect(await deadlocks(nodes)).toBe(0);
});

test('batches of the same keys in different order never deadlock', async () => {
  const nodes = await keyedNodes(3);
  const { stores, world, endpoint, keyed } = nodes;
  const random = new Random(23);
  const append = async (store: PostgresStore, round: number) => {
    const keys = Array.from({ length: 20 }, (_, n) => `key ${round} ${n}`);
    const batch = random.some(keys, 1).map((key) => world.request(endpoint, keyed(key)));
    await store.events.appendBatch(batch, world.terms());
  };
  for (let round = 0; round < 15; round++) {
    await Promise.all([...stores, ...stores].map((store) => append(store, round)));
  }
  const events = await world.listed(endpoint);
  expect(events).toHaveLength(15 * 6 * 20);
  expect(firsts(events)).toHaveLength(15 * 20);
  expect(await deadlocks(nodes)).toBe(0);
});

/** A transaction that claims a key as an event that is not stored yet. */
async function claiming(
  { url }: TestDatabase,
  endpoint: Endpoint,
  key: string,
): Promise<(end: 'COMMIT' | 'ROLLBACK') => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(`INSERT INTO first_events VALUES ($1, $2, 1000, 'evt_elsewhere', 'same')`, [
    endpoint.key,
    key,
  ]);
  return async (end) => {
    await client.query(end);
  };
}

/** Resolves when a transaction waits for another one's row. */
async function waitsForKey({ query }: TestDatabase): Promise<void> {
  await until('a capture waits for the key', async () => {
    const sql = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
    return (await query(sql)).length > 0;
  });
}

test('a capture waits for the node that claims its key, and takes what that leaves', async () => {
  const { database, world, endpoint, keyed } = await keyedNodes(1);
  for (const [end, duplicateOf] of [
    ['ROLLBACK', null],
    ['COMMIT', 'evt_elsewhere'],
  ] as const) {
    const finish = await claiming(database, endpoint, end);
    const captured = world.event(endpoint, keyed(end, 'other'));
    await waitsForKey(database);
    await finish(end);
    expect(await captured).toMatchObject({ duplicateOf, isConflicting: duplicateOf !== null });
  }
});

test('a capture whose first event is deleted meanwhile is the first', async () => {
  const { database, world, endpoint, keyed } = await keyedNodes(1);
  const first = await world.event(endpoint, keyed('a'));
  // The capture has found the key "a" when it waits for "b".
  const finish = await claiming(database, endpoint, 'b');
  const captured = world.events(endpoint, [keyed('b'), keyed('a')]);
  await waitsForKey(database);
  await world.store.events.remove(endpoint.key, first.id);
  await finish('ROLLBACK');
  const events = await captured;
  expect(firsts(events)).toEqual(events.map(({ id }) => id));
  expect(await world.event(endpoint, keyed('a'))).toMatchObject({ duplicateOf: events[1]?.id });
});

test('no commit after the answer of a PATCH is by the source or the keys of before', async () => {
  const { database, stores, world, endpoint } = await keyedNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const patches = [
    { dedupe: { ...DEDUPE, since: 'later' } },
    { source: { ...SOURCE, provider: 'stripe' } },
    { source: null },
  ];
  for (const patch of patches) {
    const version = await versionOf(world, endpoint);
    const request = world.request(endpoint, { verdict: verdictOf({ version }) });
    // Node A has read the settings and stops before it commits.
    await client.query('BEGIN; LOCK TABLE event_counts IN SHARE MODE');
    const ends: string[] = [];
    const captured = a.events.appendBatch([request], world.terms()).then(({ results }) => {
      ends.push('captured');
      return only(results);
    });
    await until('the capture waits', () => waiting(database, 'relation'));
    const patched = b.endpoints
      .update(endpoint.key, proofPatch(patch))
      .then(() => ends.push('patched'));
    await until('the PATCH waits', () => waiting(database, 'advisory'));
    await client.query('COMMIT');
    expect(await captured).toMatchObject({ stored: true });
    await patched;
    expect(ends).toEqual(['captured', 'patched']);
    const again = world.request(endpoint, { verdict: verdictOf({ version }) });
    const { results } = await a.events.appendBatch([again], world.terms());
    const judgeBy = { version: version + 1, endpointId: endpoint.id, ...patch };
    expect(only(results)).toMatchObject({ stored: false, reason: 'stale', judgeBy });
  }
});

async function waiting({ query }: TestDatabase, type: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = $1';
  return (await query(sql, [type])).length > 0;
}
