import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/runtime/runtime.ts';
import { lockDataDir } from '../../../src/store/sqlite/files/data-lock.ts';
import { openDatabase } from '../../../src/store/sqlite/files/database.ts';
import { migrate } from '../../../src/store/sqlite/files/migrate.ts';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { LEASE_MS, only, World } from '../conformance/world.ts';
import { strictLog, tempDir } from './temp-store.ts';

/*
 * "Every method is one whole operation: it happens entirely, or it throws and nothing
 * happened", on a full disk. SQLite simulates that disk: its file may have no more pages.
 */

async function limitedWorld(): Promise<{ world: World; fill(): void; free(): void }> {
  const dataDir = tempDir();
  const lock = lockDataDir(dataDir);
  const db: Database = openDatabase(join(dataDir, 'hookrelay.db'));
  migrate(db);
  const options = { dataDir, clock: systemClock, log: strictLog(), onFatal: () => {} };
  const store = new SqliteStore(options, db, lock);
  const world = new World({ store, reopen: async () => store, close: () => store.close() });
  onTestFinished(() => world.close());
  return {
    world,
    fill() {
      db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    },
    free() {
      db.pragma('max_page_count = 1000000');
    },
  };
}

/** A body that needs more pages than the tables have free, compressed or not. */
const LARGE = randomBytes(64 * 1024).toString('hex');

test('capture answers storage_full and stores nothing, reads go on, and it recovers', async () => {
  const { world, fill, free } = await limitedWorld();
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const before = await world.event(endpoint, { body: 'before' });
  fill();
  await expect(world.capture(endpoint, [{ body: LARGE }], world.terms())).rejects.toMatchObject({
    code: 'storage_full',
    retryAfterS: expect.any(Number),
  });
  expect(await world.listed(endpoint)).toEqual([before]);
  expect(await world.listed(endpoint, { q: 'before' })).toEqual([before]);
  expect((await world.store.stats(world.now)).pending).toBe(1);
  free();
  const { claimed } = await world.capture(endpoint, [{ body: LARGE }], world.terms());
  expect(claimed).toHaveLength(1);
  expect(await world.listed(endpoint)).toHaveLength(2);
});

test('an attempt that could not be recorded is recorded later and moves its delivery', async () => {
  const { world, fill, free } = await limitedWorld();
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const event = await world.event(endpoint);
  const settlement = world.settlement(only(await world.claimDue()), 'succeeded');
  settlement.attempt.responseBody = LARGE;
  fill();
  await expect(world.store.queue.settle([settlement], BREAKER)).rejects.toMatchObject({
    code: 'storage_full',
  });
  // Nothing happened: the claim is still live, so nobody else may attempt the delivery.
  expect(await world.claimDue()).toHaveLength(0);
  free();
  expect(only(await world.store.queue.settle([settlement], BREAKER))?.eventStatus).toBe(
    'delivered',
  );
  expect(await world.store.events.deliveries(event.seq, world.now)).toMatchObject([
    { state: 'succeeded', attempts: 1 },
  ]);
});

test('a replay that could not be written keeps the claims that it would have superseded', async () => {
  const { world, fill, free } = await limitedWorld();
  const endpoint = await world.endpoint();
  for (let i = 0; i < 300; i++) await world.destination(endpoint);
  const event = await world.event(endpoint);
  const claims = await world.claimDue();
  expect(claims).toHaveLength(300);
  fill();
  const { replays, queue } = world.store;
  await expect(
    replays.replay(endpoint.key, event.seq, world.now, world.terms()),
  ).rejects.toMatchObject({ code: 'storage_full' });
  expect(await world.claimDue()).toHaveLength(0);
  const begun = await queue.begin(claims, world.now + LEASE_MS, world.now);
  expect(begun.filter((outgoing) => outgoing === null)).toHaveLength(0);
  free();
});
