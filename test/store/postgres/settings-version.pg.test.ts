import { onTestFinished, test } from 'vitest';
import { tempMigratedDatabase } from '../../fixtures/postgres-database.ts';
import { watchSettingsVersion } from '../settings-version.ts';
import { openNode } from './temp-store.ts';

test('each change of an endpoint or its destinations adds one to its settings version', async () => {
  const { url, query } = await tempMigratedDatabase();
  const store = await openNode(url);
  onTestFinished(() => store.close());
  await watchSettingsVersion(store, async (key) => {
    const sql = 'SELECT settings_version AS version FROM endpoints WHERE key = $1';
    const [row] = await query<{ version: number }>(sql, [key]);
    return row?.version ?? 0;
  });
});
