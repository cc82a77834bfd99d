import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { NOT_CHECKED } from '../../../../src/core/proof/verification.ts';
import { MOVED_TABLES, type MovedRow } from '../../../../src/store/shared/moved-tables.ts';
import { openMoveSource } from '../../../../src/store/sqlite/administration/move-source.ts';
import { databaseFile } from '../../../../src/store/sqlite/files/data-files.ts';
import { BY_ID, STRIPE } from '../../conformance/proof.ts';
import { World } from '../../conformance/world.ts';
import { openStoreIn, tempDir } from '../temp-store.ts';

const FAILED = { ...NOT_CHECKED, provider: 'stripe', state: 'failed' } as const;

/** A closed store's data: an endpoint with a first event, one that repeats it, and a refused request. */
async function closedData() {
  const dataDir = join(tempDir(), 'data');
  const store = await openStoreIn(dataDir);
  const world = new World({ store, reopen: async () => store, close: () => store.close() });
  const endpoint = await world.endpoint({ source: STRIPE, dedupe: BY_ID });
  const verdict = await world.verdict(endpoint, { verification: FAILED });
  const once = { key: 'a', body: 'b' };
  const keyed = { body: 'x'.repeat(30_000), verdict: { ...verdict, once } };
  const events = await world.events(endpoint, [keyed, keyed]);
  await world.capture(endpoint, [{ body: 'no', verdict: { ...verdict, refused: { keep: true } } }]);
  return { dataDir, world, endpoint, events };
}

test('a move reads sources, verifications, keys and rejected requests', async () => {
  const { dataDir, world, endpoint, events } = await closedData();
  await world.close();
  const source = openMoveSource(dataDir);
  try {
    const rowsOf = (name: string): MovedRow[] => {
      const table = MOVED_TABLES.find((one) => one.name === name);
      if (!table) throw new Error(`no table ${name}`);
      const { rows, next } = source.chunk(table, null);
      expect([rows.length, next]).toEqual([source.count(table), null]);
      return rows;
    };
    expect(rowsOf('endpoints')).toMatchObject([
      {
        sealed_source_secrets: STRIPE.sealedSecrets,
        settings: JSON.stringify({ name: 'orders', dedupe: BY_ID }),
      },
    ]);
    const proof = JSON.stringify(['stripe', null, null]);
    expect(rowsOf('events')).toMatchObject([
      { verification: 3, proof, duplicate_of: null, duplicate_conflict: null },
      { verification: 3, proof, duplicate_of: events[0]?.id, duplicate_conflict: 0 },
    ]);
    expect(rowsOf('first_events')).toEqual([
      {
        ...{ endpoint_key: endpoint.key, once_key: 'a', body: 'b' },
        ...{ event_seq: events[0]?.seq, event_id: events[0]?.id },
      },
    ]);
    expect(rowsOf('rejected_requests')).toMatchObject([
      { proof, size: 4, body: Buffer.from('no') },
    ]);
    expect(rowsOf('event_contents').map(({ body }) => (body as Buffer).length)).toEqual([
      30_000, 30_000,
    ]);
    expect(source.lastNumber('rejected_requests')).toBe(1);
  } finally {
    source.close();
  }
});

test('keys and rejected requests leave no row behind their endpoint', async () => {
  const { dataDir, world, endpoint } = await closedData();
  const { store } = world;
  await store.endpoints.remove(endpoint.key, world.now);
  while ((await store.upkeep.purgeSlice(1)).more);
  await world.close();
  const db = new Database(databaseFile(dataDir), { readonly: true });
  const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect(['endpoints', 'events', 'first_events', 'rejected_requests'].map(count)).toEqual([
    0, 0, 0, 0,
  ]);
  db.close();
});
