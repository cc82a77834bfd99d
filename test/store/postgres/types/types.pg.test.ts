import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../../src/core/model.ts';
import type { EventToLearn, Learned, StoredType } from '../../../../src/store/contract/types.ts';
import { Database } from '../../../../src/store/postgres/connection/database.ts';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { saveTypes } from '../../../../src/store/postgres/types/saved-types.ts';
import { until } from '../../../fixtures/until.ts';
import { CLAIM_NOTHING, type World } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';

/** Every node learns, at the same time. */

const LIMITS = { most: 7, bytes: 1_000_000, largest: 1000 };
const TYPES = ['a', 'b', 'c'];
/** Most types of an endpoint. */
const MOST = 500;

/** The shape of a learner that notes which events it has learned from. */
const noted = (shape: Uint8Array | null, events: readonly EventToLearn[]) => {
  const seqs = shape ? (JSON.parse(Buffer.from(shape).toString()) as number[]) : [];
  return Buffer.from(JSON.stringify([...seqs, ...events.map(({ seq }) => seq)]));
};

/** One turn of a learner. */
async function turn({ types }: PostgresStore): Promise<'saved' | 'stale' | 'end'> {
  const before = await types.learnedTo();
  const { events, scannedTo: after } = await types.toLearn(before, LIMITS);
  if (after === before) return 'end';
  const groups = Map.groupBy(events, ({ endpointKey, eventType }) =>
    JSON.stringify([endpointKey, eventType]),
  );
  const refs = [...groups.values()].map(([first]) => ({
    endpointKey: first?.endpointKey ?? 0,
    type: first?.eventType ?? '',
  }));
  const found = await types.findMany(refs);
  const added: Learned['added'][number][] = [];
  const changed: StoredType[] = [];
  for (const { endpointKey, type } of refs) {
    const own = groups.get(JSON.stringify([endpointKey, type])) ?? [];
    const known = found.find((one) => one.endpointKey === endpointKey && one.type === type);
    const times = { provider: null, firstAt: 1, lastAt: 1 };
    if (known) {
      const shape = noted(known.shape, own);
      changed.push({ ...known, count: known.count + own.length, shape });
    } else {
      const shape = noted(null, own);
      added.push({ endpointKey, type, ...times, count: own.length, shape });
    }
  }
  const isSaved = await types.save({ cursor: { before, after }, added, changed }, MOST);
  return isSaved ? 'saved' : 'stale';
}

/** Learns until `isOver`, and then to the end. */
async function learn(store: PostgresStore, isOver: () => boolean): Promise<void> {
  for (;;) {
    const wasOver = isOver();
    if ((await turn(store)) === 'end' && wasOver) return;
  }
}

async function capture(store: PostgresStore, world: World, endpoint: Endpoint, eventType: string) {
  const { results } = await store.events.appendBatch(
    [world.request(endpoint, { eventType })],
    CLAIM_NOTHING,
  );
  return results.map((result) => (result.stored ? result.event.seq : 0));
}

test('nodes that learn at once learn from each event once', async () => {
  const { stores, world } = await openNodes(3);
  const endpoint = await world.endpoint();
  const captured = new Map(TYPES.map((type) => [type, [] as number[]]));
  let isOver = false;
  const learning = stores.map((store) => learn(store, () => isOver));
  await Promise.all(
    stores.map(async (store) => {
      for (let i = 0; i < 40; i++) {
        const type = TYPES[i % TYPES.length] as string;
        captured.get(type)?.push(...(await capture(store, world, endpoint, type)));
      }
    }),
  ).finally(() => {
    isOver = true;
  });
  await Promise.all(learning);
  const found = await world.store.types.findMany(
    TYPES.map((type) => ({ endpointKey: endpoint.key, type })),
  );
  for (const { type, shape, count } of found) {
    const seqs = captured.get(type)?.toSorted((a, b) => a - b) ?? [];
    expect(count).toBe(seqs.length);
    expect(JSON.parse(Buffer.from(shape ?? []).toString())).toEqual(seqs);
  }
  expect(found.map(({ count }) => count)).toEqual([42, 39, 39]);
});

test('what is learned of a type is written in its place, without a write to an index', async () => {
  const { database, world } = await openNodes(1);
  const { key: endpointKey } = await world.endpoint();
  const seen = { provider: null, shape: null, count: 1, firstAt: 1, lastAt: 1 };
  const added = TYPES.map((type) => ({ endpointKey, type, ...seen }));
  await world.store.types.save({ added, changed: [] }, MOST);
  const changed = await world.store.types.findMany(TYPES.map((type) => ({ endpointKey, type })));
  const db = new Database({ url: database.url, applicationName: 'types' });
  onTestFinished(() => db.close());
  const [updated] = await db.transaction(async (sql) => {
    const later = changed.map((type) => ({ ...type, count: 2, lastAt: 2 }));
    expect(await saveTypes(sql, { added: [], changed: later }, MOST)).toBe(true);
    return sql.rows(`
      SELECT pg_stat_get_xact_tuples_updated(oid) AS "all",
        pg_stat_get_xact_tuples_hot_updated(oid) AS hot
      FROM pg_class WHERE relname = 'event_types'`);
  });
  expect(updated).toEqual({ all: TYPES.length, hot: TYPES.length });
});

test('saves, removals and purges at once neither wait for each other nor leave types behind', async () => {
  const { database, stores, world } = await openNodes(3);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  let isOver = false;
  const endpoints = await Promise.all(Array.from({ length: 12 }, () => world.endpoint()));
  const names = Array.from({ length: 120 }, (_, i) => `type ${i}`);
  const saving = stores.slice(0, 2).map(async (store) => {
    while (!isOver) {
      for (const { key: endpointKey } of endpoints) {
        const refs = names.map((type) => ({ endpointKey, type }));
        const changed = await store.types.findMany(refs);
        const known = new Set(changed.map(({ type }) => type));
        const times = { provider: null, shape: null, count: 1, firstAt: 1, lastAt: 1 };
        const added = refs.filter(({ type }) => !known.has(type));
        await store.types.save(
          { changed, added: added.map((ref) => ({ ...ref, ...times })) },
          MOST,
        );
      }
    }
  });
  const removing = async () => {
    for (const { key } of endpoints) {
      const total = async () => (await a.types.list(key, { offset: 0, limit: 1 })).total;
      await until('it has types', async () => (await total()) === names.length);
      await b.endpoints.remove(key, 1);
      while ((await b.upkeep.purgeSlice(100)).more);
    }
  };
  await removing().finally(() => {
    isOver = true;
  });
  await Promise.all(saving);
  expect(await database.query('SELECT endpoint_key, type FROM event_types')).toEqual([]);
  expect(await database.query('SELECT key FROM endpoints')).toEqual([]);
});
