import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { partialOf } from '../../../src/core/runtime/partial-file.ts';
import type { Logger } from '../../../src/core/runtime/runtime.ts';
import { migrate } from '../../../src/store/sqlite/files/migrate.ts';
import { NOBODY } from '../../fixtures/machine.ts';
import { silentLog } from '../../fixtures/silent-log.ts';
import { storeChild } from './child.ts';
import { openStoreIn, strictLog, tempDir } from './temp-store.ts';

/** A closed hookrelay database. */
async function closedStore(): Promise<{ directory: string; file: string }> {
  const directory = tempDir();
  await (await openStoreIn(directory)).close();
  return { directory, file: join(directory, 'hookrelay.db') };
}

test('files of a killed restore are removed, those of a living process stay', async () => {
  const { directory, file } = await closedStore();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const living = partialOf(file);
  const killed = living.replace(`-${process.pid}-`, `-${pid}-`);
  for (const path of [living, killed]) writeFileSync(path, 'x');
  await (await openStoreIn(directory)).close();
  expect([existsSync(living), existsSync(killed)]).toEqual([true, false]);
});

describe('an unusable database is refused and stays byte for byte the same', () => {
  /** Expects a failed open that neither changes the database nor adds a file beside it. */
  async function expectRefused(file: string, code: string): Promise<void> {
    const before = readFileSync(file);
    await expect(openStoreIn(dirname(file))).rejects.toMatchObject({
      code,
      hint: expect.any(String),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    const names = readdirSync(dirname(file)).filter((name) => name.startsWith('hookrelay'));
    expect(names).toEqual(['hookrelay.db']);
  }

  test('a database of a newer schema', async () => {
    const { file } = await closedStore();
    const db = new Database(file);
    const version = db.pragma('user_version', { simple: true }) as number;
    db.pragma(`user_version = ${version + 1}`);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    await expectRefused(file, 'schema_newer');
  });

  test.each(['delete', 'wal'])('a database of another program, journal mode %s', async (mode) => {
    const file = join(tempDir(), 'hookrelay.db');
    const db = new Database(file);
    db.pragma(`journal_mode = ${mode}`);
    db.exec('CREATE TABLE events (id); INSERT INTO events VALUES (1)');
    db.pragma('user_version = 1');
    db.close();
    await expectRefused(file, 'database_unusable');
  });

  test.each([
    ['zero bytes', Buffer.alloc(0)],
    ['garbage', Buffer.from('not a database\n'.repeat(500))],
  ])('a file of %s', async (_, bytes) => {
    const file = join(tempDir(), 'hookrelay.db');
    writeFileSync(file, bytes);
    await expectRefused(file, 'database_unusable');
  });

  test('a file where the directory should be', async () => {
    const file = join(tempDir(), 'hookrelay.db');
    writeFileSync(file, 'x');
    for (const path of [file, join(file, 'below')]) {
      await expect(openStoreIn(path)).rejects.toMatchObject({ code: 'data_dir_unusable' });
    }
    expect(readFileSync(file, 'utf8')).toBe('x');
  });

  // Root may write anywhere, so its child runs as another user.
  const asSomebodyElse = process.getuid?.() === 0 ? { uid: NOBODY } : {};

  test.skipIf(process.platform === 'win32')('a directory that cannot be written', async () => {
    const directory = join(tempDir(), 'data');
    mkdirSync(directory);
    chmodSync(dirname(directory), 0o755);
    chmodSync(directory, 0o555);
    const { said } = await storeChild(directory, 'close', asSomebodyElse);
    chmodSync(directory, 0o755);
    expect(said).toMatchObject({ code: 'data_dir_unusable', hint: expect.any(String) });
    expect(readdirSync(directory)).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('a database that cannot be written', async () => {
    const { file, directory } = await closedStore();
    if (asSomebodyElse.uid) chownSync(directory, NOBODY, NOBODY);
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o666);
    chmodSync(file, 0o444);
    const before = readFileSync(file);
    const { said } = await storeChild(directory, 'close', asSomebodyElse);
    expect(said).toMatchObject({ code: 'database_unusable', hint: expect.any(String) });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('a killed first start', () => {
  test.each([
    ['before it wrote anything', (draft: string) => writeFileSync(draft, '')],
    ['in the middle of a page', (draft: string) => writeFileSync(draft, 'SQLite format 3\0 and')],
    [
      'with its journal',
      (draft: string) => {
        writeFileSync(draft, Buffer.alloc(8192));
        writeFileSync(`${draft}-journal`, Buffer.alloc(512, 7));
      },
    ],
  ])('%s: the next one makes the database', async (_, leave) => {
    const directory = tempDir();
    leave(join(directory, 'hookrelay.db.new'));
    const store = await openStoreIn(directory);
    await store.checkWritable();
    await store.close();
    expect(readdirSync(directory).filter((name) => name.includes('.new'))).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32')(
  'a data directory that others can read is logged and stays unchanged',
  async () => {
    const directory = tempDir();
    chmodSync(directory, 0o755);
    const warned: unknown[] = [];
    const log = { ...strictLog(), warn: (...line: unknown[]) => void warned.push(line) };
    await (await openStoreIn(directory, log)).close();
    expect(warned).toEqual([
      [expect.any(String), { directory, mode: '0755', hint: `chmod 700 ${directory}` }],
    ]);
    expect((statSync(directory).mode & 0o777).toString(8)).toBe('755');
    chmodSync(directory, 0o700);
    await (await openStoreIn(directory)).close();
  },
);

describe('files', () => {
  test.skipIf(process.platform === 'win32')('are their owner’s alone', async () => {
    const directory = join(tempDir(), 'a', 'b');
    const store = await openStoreIn(directory);
    await store.checkWritable();
    // After this answer the files of the reader and the indexer exist too.
    await store.stats(0);
    const modes = readdirSync(directory).map((name) => [
      name,
      (statSync(join(directory, name)).mode & 0o777).toString(8),
    ]);
    await store.close();
    expect((statSync(directory).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(dirname(directory)).mode & 0o777).toString(8)).toBe('700');
    expect(modes.map(([name]) => name)).toEqual(
      expect.arrayContaining(['hookrelay.db', 'hookrelay.db-wal', 'lock.db', 'holder.json']),
    );
    for (const mode of modes) expect(mode).toEqual([mode[0], '600']);
  });

  test('of a closed store are one complete database without a log', async () => {
    const { directory, file } = await closedStore();
    expect(existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0).toBe(false);
    const copy = join(tempDir(), 'copy.db');
    copyFileSync(file, copy);
    const db = new Database(copy, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
    expect(readdirSync(directory)).not.toContain('holder.json');
  });
});

describe('migrations', () => {
  function migrated(
    files: Record<string, string>,
    db = new Database(':memory:'),
    info: Logger['info'] = () => {},
  ) {
    const directory = tempDir();
    for (const [name, sql] of Object.entries(files)) writeFileSync(join(directory, name), sql);
    migrate(db, { ...silentLog, info }, directory);
    return { db, directory, version: db.pragma('user_version', { simple: true }) };
  }

  test('run in order, each once, and files of other names never', () => {
    const first = migrated({
      '0002_b.sql': 'INSERT INTO t VALUES (2)',
      '0001_a.sql': 'CREATE TABLE t (a); INSERT INTO t VALUES (1)',
      '0003_c.sql.orig': 'DROP TABLE t',
      '3_d.sql': 'DROP TABLE t',
    });
    expect(first.version).toBe(2);
    const logged: unknown[] = [];
    const second = migrated(
      { '0001_a.sql': 'no SQL', '0002_b.sql': 'nor this', '0010_j.sql': 'UPDATE t SET a = a * 10' },
      first.db,
      (_, fields) => logged.push(fields),
    );
    const upgrade = { from: 2, to: 10 };
    expect(logged).toEqual([upgrade, { ...upgrade, took_ms: expect.any(Number) }]);
    expect(second.version).toBe(10);
    migrate(second.db, silentLog, second.directory);
    expect(second.db.prepare('SELECT a FROM t').pluck().all()).toEqual([10, 20]);
  });

  test('that fail leave the previous schema', () => {
    const db = new Database(':memory:');
    const files = {
      '0001_a.sql': 'CREATE TABLE t (a)',
      '0002_b.sql': 'CREATE TABLE u (a); INSERT INTO nowhere VALUES (1)',
    };
    expect(() => migrated(files, db)).toThrow(/nowhere/);
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    expect(db.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['t']);
    expect(db.inTransaction).toBe(false);
  });

  test('mark the file as a hookrelay database', () => {
    const { db } = migrated({ '0001_a.sql': 'CREATE TABLE t (a)' });
    const mark = Buffer.alloc(4);
    mark.writeUInt32BE(db.pragma('application_id', { simple: true }) as number);
    expect(mark.toString()).toBe('hkrl');
  });
});
