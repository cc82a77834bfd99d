import { expect, test } from 'vitest';
import { tempDatabase } from '../../fixtures/postgres-database.ts';

test('the PostgreSQL of the tests is as durable as an operator’s', async () => {
  const { query } = await tempDatabase();
  const rows = await query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'server_encoding')",
  );
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  expect(settings).toEqual({ fsync: 'on', synchronous_commit: 'on', server_encoding: 'UTF8' });
});
