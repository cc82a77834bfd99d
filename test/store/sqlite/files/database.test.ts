import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type OpenOptions, openDatabase } from '../../../../src/store/sqlite/files/database.ts';
import { tempDir } from '../temp-store.ts';

const NORMAL = 1;
const FULL = 2;

function opened(file: string, options?: OpenOptions): Database.Database {
  const db = openDatabase(file, options);
  onTestFinished(() => {
    db.close();
  });
  return db;
}

const synchronousOf = (db: Database.Database) => db.pragma('synchronous', { simple: true });

test('synchronous stays FULL after a read, a write, a checkpoint and a reopen', () => {
  const file = join(tempDir(), 'a.db');
  for (let i = 0; i < 2; i++) {
    const db = openDatabase(file);
    expect(synchronousOf(db)).toBe(FULL);
    db.exec('CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)');
    expect(synchronousOf(db)).toBe(FULL);
    db.prepare('SELECT * FROM t').all();
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (2); COMMIT');
    expect(synchronousOf(db)).toBe(FULL);
    db.close();
  }
  // The driver's own default is lower, which is why the store sets it.
  const plain = new Database(file);
  plain.prepare('SELECT * FROM t').all();
  expect(synchronousOf(plain)).toBe(NORMAL);
  plain.close();
});

test('synchronous is FULL on every further connection, and NORMAL on request', () => {
  const file = join(tempDir(), 'a.db');
  const first = opened(file);
  first.exec('CREATE TABLE t (a)');
  expect(synchronousOf(opened(file))).toBe(FULL);
  expect(synchronousOf(opened(file, { readonly: true }))).toBe(FULL);
  const normal = opened(file, { durability: 'normal' });
  normal.exec('INSERT INTO t VALUES (1)');
  expect(synchronousOf(normal)).toBe(NORMAL);
  expect(synchronousOf(first)).toBe(FULL);
});

test('the other settings are in effect too', () => {
  const db = opened(join(tempDir(), 'a.db'), { cacheKib: 1234 });
  const read = (name: string) => db.pragma(name, { simple: true });
  expect(read('journal_mode')).toBe('wal');
  expect(read('foreign_keys')).toBe(1);
  expect(read('trusted_schema')).toBe(0);
  expect(read('busy_timeout')).toBe(5000);
  expect(read('journal_size_limit')).toBe(64 * 1024 * 1024);
  expect(read('cache_size')).toBe(-1234);
});

test('a read-only connection writes nothing', () => {
  const file = join(tempDir(), 'a.db');
  opened(file).exec('CREATE TABLE t (a)');
  const db = opened(file, { readonly: true });
  expect(() => db.exec('INSERT INTO t VALUES (1)')).toThrow(/readonly/);
  expect(() => opened(join(tempDir(), 'none.db'), { readonly: true })).toThrow();
});

const REFUSED: [string, Buffer][] = [
  ['empty', Buffer.alloc(0)],
  ['shorter than a header', Buffer.from('SQLite')],
  ['text', Buffer.from('id,name\n'.repeat(1000))],
  ['zeros', Buffer.alloc(8192)],
  ['almost a header', Buffer.concat([Buffer.from('SQLite format 4\0'), Buffer.alloc(8176)])],
];

test.each(REFUSED)(
  'a file that is not a database is refused and stays unchanged: %s',
  (_, bytes) => {
    const directory = tempDir();
    const file = join(directory, 'a.db');
    writeFileSync(file, bytes);
    for (const options of [{}, { readonly: true }]) {
      expect(() => openDatabase(file, options)).toThrow(
        expect.objectContaining({
          code: 'database_unusable',
          message: expect.stringContaining(file),
          hint: expect.any(String),
        }),
      );
    }
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(directory)).toEqual(['a.db']);
  },
);

test('a database with a broken page is refused and stays unchanged', () => {
  const file = join(tempDir(), 'a.db');
  const db = openDatabase(file);
  db.exec('CREATE TABLE t (a)');
  db.close();
  const bytes = readFileSync(file);
  // The page type and the cell count of the schema's page.
  bytes.fill(0xff, 100, 108);
  writeFileSync(file, bytes);
  expect(() => openDatabase(file)).toThrow(expect.objectContaining({ code: 'database_unusable' }));
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test('a directory in the place of the file is refused', () => {
  const file = join(tempDir(), 'a.db');
  mkdirSync(file);
  expect(() => openDatabase(file)).toThrow(expect.objectContaining({ code: 'database_unusable' }));
});
