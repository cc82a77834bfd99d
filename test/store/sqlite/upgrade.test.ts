import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { databaseFile } from '../../../src/store/sqlite/files/data-files.ts';
import { MANY } from '../../fixtures/many.ts';
import { newToken } from '../conformance/account-rows.ts';
import { FINISHED, halfDelivered } from '../conformance/half-delivered.ts';
import { World } from '../conformance/world.ts';
import { downgradeToSchema2 } from './downgrade.ts';
import { openStoreIn, tempDir } from './temp-store.ts';

const PROGRESS = 'SELECT open, succeeded, dead, failed FROM events WHERE open > 0 ORDER BY seq';

test('a database of schema 2: open events end in the right status, tokens keep every right', async () => {
  const dataDir = join(tempDir(), 'data');
  const file = databaseFile(dataDir);
  const byHand = <T>(run: (db: Database.Database) => T): T => {
    const db = new Database(file);
    try {
      return run(db);
    } finally {
      db.close();
    }
  };
  const opened = await openStoreIn(dataDir);
  let store = opened;
  const world = new World({
    store: opened,
    async reopen() {
      store = await openStoreIn(dataDir);
      return store;
    },
    close: () => store.close(),
  });
  onTestFinished(() => world.close());
  const { finish } = await halfDelivered(world);
  const { id: userId } = await world.user();
  const token = newToken(userId);
  await opened.apiTokens.create(token, MANY);
  await opened.close();
  const before = byHand((db) => db.prepare(PROGRESS).all());
  expect(before).toHaveLength(5);
  byHand(downgradeToSchema2);

  await world.reopen();
  expect(byHand((db) => db.prepare(PROGRESS).all())).toEqual(before);
  expect(await finish()).toEqual(FINISHED);
  expect(await world.store.apiTokens.use(token.hash, 9)).toMatchObject({
    token: { scopes: ['read', 'write'], endpoints: null, expiresAt: null },
  });
});
