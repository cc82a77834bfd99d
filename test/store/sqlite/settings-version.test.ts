import Database from 'better-sqlite3';
import { onTestFinished, test } from 'vitest';
import { databaseFile } from '../../../src/store/sqlite/files/data-files.ts';
import { watchSettingsVersion } from '../settings-version.ts';
import { openStoreIn, tempDir } from './temp-store.ts';

test('each change of an endpoint or its destinations adds one to its settings version', async () => {
  const dataDir = tempDir();
  const store = await openStoreIn(dataDir);
  const db = new Database(databaseFile(dataDir), { readonly: true });
  onTestFinished(async () => {
    db.close();
    await store.close();
  });
  const read = db
    .prepare<[number], number>('SELECT settings_version FROM endpoints WHERE key = ?')
    .pluck();
  await watchSettingsVersion(store, async (key) => read.get(key) as number);
});
