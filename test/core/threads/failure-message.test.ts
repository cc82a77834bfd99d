import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { HookrelayError } from '../../../src/core/errors.ts';
import { packFailure, unpackFailure } from '../../../src/core/threads/failure-message.ts';

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

test('an error of SQLite keeps its code, its message and its stack', () => {
  const error = sqliteError() as Error;
  expect(crossed(error)).toBeInstanceOf(Error);
  expect(crossed(error)).toMatchObject({
    code: 'SQLITE_CONSTRAINT_NOTNULL',
    message: 'NOT NULL constraint failed: t.a',
    stack: error.stack,
  });
});

test('an error that ended a thread keeps them too', async () => {
  const thrower = "throw Object.assign(new TypeError('no such thing'), { code: 'ERR_MADE_UP' })";
  const [thrown] = await once(new Worker(thrower, { eval: true }), 'error');
  expect(crossed(thrown)).toBeInstanceOf(Error);
  expect(crossed(thrown)).toMatchObject({
    code: 'ERR_MADE_UP',
    message: 'no such thing',
    stack: thrown.stack,
  });
});

test('causes of any depth keep them too', () => {
  const error = new Error('no commit', { cause: new Error('no write', { cause: sqliteError() }) });
  expect(crossed(error)).toMatchObject({
    message: 'no commit',
    cause: { message: 'no write', cause: { code: 'SQLITE_CONSTRAINT_NOTNULL' } },
  });
});

test('a HookrelayError is one on the other side', () => {
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

test('a thrown value that is not an error arrives unchanged', () => {
  expect(crossed('a text')).toBe('a text');
  expect(crossed(undefined)).toBeUndefined();
});

test('an AbortError is one on the other side', () => {
  expect(crossed(AbortSignal.abort().reason)).toMatchObject({ name: 'AbortError' });
});
