import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { HookrelayError } from '../../../src/core/errors.ts';
import { packFailure, unpackFailure } from '../../../src/store/sqlite/thread/failure-message.ts';

const crossed = (thrown: unknown) => unpackFailure(structuredClone(packFailure(thrown)));

function sqliteError(): unknown {
  const db = new Database(':memory:');
  try {
    db.exec('CREATE TABLE t (a NOT NULL); INSERT INTO t VALUES (NULL)');
  } catch (error) {
    return error;
  } finally {
    db.close();
  }
  throw new Error('it took a null');
}

test('an error of SQLite keeps its code, its message and where it came from', () => {
  const error = sqliteError() as Error;
  expect(crossed(error)).toBeInstanceOf(Error);
  expect(crossed(error)).toMatchObject({
    code: 'SQLITE_CONSTRAINT_NOTNULL',
    message: 'NOT NULL constraint failed: t.a',
    stack: error.stack,
  });
});

test('so does the error that ended a thread', async () => {
  const thrower = "throw Object.assign(new TypeError('no such thing'), { code: 'ERR_MADE_UP' })";
  const [thrown] = await once(new Worker(thrower, { eval: true }), 'error');
  expect(crossed(thrown)).toBeInstanceOf(Error);
  expect(crossed(thrown)).toMatchObject({
    code: 'ERR_MADE_UP',
    message: 'no such thing',
    stack: thrown.stack,
  });
});

test('so do causes, of any depth', () => {
  const error = new Error('no commit', { cause: new Error('no write', { cause: sqliteError() }) });
  expect(crossed(error)).toMatchObject({
    message: 'no commit',
    cause: { message: 'no write', cause: { code: 'SQLITE_CONSTRAINT_NOTNULL' } },
  });
});

test('an error of our own is one on the other side', () => {
  const error = new HookrelayError('storage_full', 'the disk is full', {
    hint: 'free some',
    cause: sqliteError(),
  });
  expect(crossed(error)).toBeInstanceOf(HookrelayError);
  expect(crossed(error)).toMatchObject({
    code: 'storage_full',
    message: 'the disk is full',
    hint: 'free some',
    cause: { code: 'SQLITE_CONSTRAINT_NOTNULL' },
  });
});

test('what is no error is thrown as it was', () => {
  expect(crossed('a text')).toBe('a text');
  expect(crossed(undefined)).toBeUndefined();
});

test('an abort is one on the other side', () => {
  expect(crossed(AbortSignal.abort().reason)).toMatchObject({ name: 'AbortError' });
});
