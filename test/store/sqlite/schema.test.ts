import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/sqlite/files/migrate.ts';

/*
 * Migrations are immutable: databases out there have run them. A change of this
 * snapshot belongs to a new migration, never to an edited one.
 */
test('the migrations make this schema', async () => {
  const db = new Database(':memory:');
  migrate(db);
  const objects = db
    .prepare<[], string>(
      'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name',
    )
    .pluck()
    .all();
  const version = db.pragma('user_version', { simple: true });
  db.close();
  await expect(`-- Schema ${version}\n\n${objects.join(';\n\n')};\n`).toMatchFileSnapshot(
    'schema.snapshot.sql',
  );
});
