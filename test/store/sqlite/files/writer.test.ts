import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/store/sqlite/files/database.ts';
import { Writer } from '../../../../src/store/sqlite/files/writer.ts';
import { tempDir } from '../temp-store.ts';
import { commitsIn } from '../wal.ts';

function openWriter() {
  const file = join(tempDir(), 'a.db');
  const db = openDatabase(file);
  db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)');
  const other = openDatabase(file, { readonly: true });
  const fatal: Error[] = [];
  const writer = new Writer(db, (error) => fatal.push(error));
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const committed = other.prepare('SELECT a FROM t ORDER BY a').pluck();
  onTestFinished(() => {
    other.close();
    db.close();
  });
  return {
    db,
    writer,
    fatal,
    commits: () => commitsIn(`${file}-wal`),
    insert: (value: number) => writer.write(() => insert.run(value).changes),
    /** The rows that another connection sees. */
    committed: () => committed.all() as number[],
  };
}

/** A failure as the driver reports it. */
const failure = (code: string) => Object.assign(new Error(code), { code });

describe('operations of one turn', () => {
  test('are one commit, visible to others when their promises resolve', async () => {
    const { writer, insert, commits, committed } = openWriter();
    const before = commits();
    const seen: number[][] = [];
    const writes = [1, 2, 3].map((value) => insert(value).then(() => seen.push(committed())));
    expect(committed()).toEqual([]);
    await Promise.all(writes);
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(commits() - before).toBe(1);
    await insert(4);
    await insert(5);
    expect(commits() - before).toBe(3);
    await writer.settled();
  });

  test('run in the order of their requests, and each sees the earlier ones', async () => {
    const { db, writer, insert } = openWriter();
    const count = db.prepare('SELECT count(*) FROM t').pluck();
    const counts = [];
    for (let i = 1; i <= 5; i++) {
      void insert(i);
      counts.push(writer.write(() => count.get()));
    }
    expect(await Promise.all(counts)).toEqual([1, 2, 3, 4, 5]);
  });

  test('that throw are rolled back alone', async () => {
    const { writer, insert, commits, committed } = openWriter();
    const before = commits();
    const boom = new Error('boom');
    const outcomes = await Promise.allSettled([
      insert(1),
      writer.write(() => {
        void insert(100);
        throw boom;
      }),
      insert(1),
      writer.write(() => 'value'),
      insert(2),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: boom },
      { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } },
      { status: 'fulfilled', value: 'value' },
      { status: 'fulfilled', value: 1 },
    ]);
    expect(committed()).toEqual([1, 2]);
    expect(commits() - before).toBe(1);
    await writer.settled();
  });

  test.each([
    ['first', []],
    ['later', [1, 2]],
  ])('that throw half-way leave nothing of themselves: the %s of them', async (_, before) => {
    const { db, writer, insert, commits, committed } = openWriter();
    const commitsBefore = commits();
    const statement = db.prepare('INSERT INTO t VALUES (?)');
    const written = before.map(insert);
    const half = writer.write(() => {
      statement.run(10);
      statement.run(11);
      throw new Error('boom');
    });
    const after = insert(12);
    await expect(half).rejects.toThrow('boom');
    await Promise.all([...written, after]);
    expect(committed()).toEqual([...before, 12]);
    expect(commits() - commitsBefore).toBe(1);
  });

  test.each([
    ['first', 0],
    ['later', 2],
  ])('that throw undo what they changed in memory: the %s of them', async (_, before) => {
    const db = openDatabase(join(tempDir(), 'a.db'));
    onTestFinished(() => void db.close());
    const taken: number[] = [];
    const memory = {
      mark: () => taken.length,
      undoTo: (mark: number) => void taken.splice(mark),
      keep() {},
    };
    const writer = new Writer(db, () => {}, memory);
    const take = (value: number) => writer.write(() => taken.push(value));
    const written = Array.from({ length: before }, (_, i) => take(i));
    const failed = writer.write(() => {
      taken.push(100);
      throw new Error('boom');
    });
    written.push(take(before));
    await expect(failed).rejects.toThrow('boom');
    await Promise.all(written);
    expect(taken).toEqual(Array.from({ length: before + 1 }, (_, i) => i));
  });
});

test('after an operation that ended the transaction, none of its commit happens', async () => {
  const { db, writer, insert, committed } = openWriter();
  const outcomes = await Promise.allSettled([writer.write(() => db.exec('ROLLBACK')), insert(1)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(committed()).toEqual([]);
  await insert(2);
  expect(committed()).toEqual([2]);
});

test('an operation requested inside another, or after it, is in the next commit', async () => {
  const { writer, insert, commits, committed } = openWriter();
  const before = commits();
  let inner: Promise<number> | undefined;
  await writer.write(() => {
    inner = insert(2);
  });
  expect(committed()).toEqual([]);
  await inner;
  await insert(3).then(() => insert(4));
  expect(committed()).toEqual([2, 3, 4]);
  // The first operation wrote nothing, and SQLite doesn't count an empty commit.
  expect(commits() - before).toBe(3);
});

test('the writer is settled once nothing waits', async () => {
  const { writer, insert, committed } = openWriter();
  await writer.settled();
  void insert(1);
  void insert(2);
  await writer.settled();
  expect(committed()).toEqual([1, 2]);
});

describe('a failure', () => {
  test('of the storage is storage_full, and nothing happened', async () => {
    const { db, insert, writer, committed } = openWriter();
    await insert(1);
    const pages = db.pragma('page_count', { simple: true });
    db.pragma(`max_page_count = ${pages}`);
    const wide = db.prepare('CREATE TABLE wide AS SELECT randomblob(100000) AS b');
    await expect(writer.write(() => wide.run())).rejects.toMatchObject({
      code: 'storage_full',
      retryAfterS: expect.any(Number),
    });
    db.pragma('max_page_count = 1000000');
    await insert(2);
    expect(committed()).toEqual([1, 2]);
  });

  test.each(['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC'])(
    'of an fsync is fatal: %s',
    async (code) => {
      const { writer, fatal } = openWriter();
      const error = failure(code);
      const failing = writer.write(() => {
        throw error;
      });
      await expect(failing).rejects.toMatchObject({ code: 'storage_full', cause: error });
      expect(fatal).toEqual([error]);
    },
  );

  test('of a read or write is not fatal', async () => {
    const { writer, fatal } = openWriter();
    for (const [code, told] of [
      ['SQLITE_IOERR_WRITE', 'storage_full'],
      ['SQLITE_FULL', 'storage_full'],
      ['SQLITE_BUSY', 'overloaded'],
      ['SQLITE_CORRUPT', 'SQLITE_CORRUPT'],
    ] as const) {
      const failing = writer.write(() => {
        throw failure(code);
      });
      await expect(failing).rejects.toMatchObject({ code: told });
    }
    expect(fatal).toEqual([]);
  });

  test('of the commit fails all of its operations', async () => {
    const { db, writer, insert, committed } = openWriter();
    db.exec('CREATE TABLE child (a REFERENCES t (a) DEFERRABLE INITIALLY DEFERRED)');
    const orphan = db.prepare('INSERT INTO child VALUES (99)');
    const outcomes = await Promise.allSettled([insert(1), writer.write(() => orphan.run())]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(committed()).toEqual([]);
    await insert(2);
    expect(committed()).toEqual([2]);
  });

  test('to begin while another process writes is overloaded', async () => {
    const { db, writer, insert, committed } = openWriter();
    // Shorter than the usual five seconds.
    db.pragma('busy_timeout = 0');
    const blocker: Database = openDatabase(db.name);
    blocker.exec('BEGIN IMMEDIATE');
    await expect(insert(1)).rejects.toMatchObject({ code: 'overloaded' });
    blocker.close();
    await insert(2);
    await writer.settled();
    expect(committed()).toEqual([2]);
  });
});
