import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { lockHolder } from '../../../../src/store/sqlite/administration/admin-lock.ts';
import { lockDataDir } from '../../../../src/store/sqlite/files/data-lock.ts';
import { storeChild } from '../child.ts';
import { openStoreIn, tempDir } from '../temp-store.ts';

test('a second store on the directory is refused, and the error names the holder', async () => {
  const directory = tempDir();
  const store = await openStoreIn(directory);
  const before = readFileSync(join(directory, 'hookrelay.db'));
  await expect(openStoreIn(directory)).rejects.toMatchObject({
    code: 'data_dir_locked',
    message: expect.stringContaining(`process ${process.pid}`),
    hint: expect.any(String),
  });
  const { said } = await storeChild(directory, 'close');
  expect(said).toMatchObject({
    code: 'data_dir_locked',
    message: expect.stringContaining(`process ${process.pid}`),
  });
  expect(readFileSync(join(directory, 'hookrelay.db')).equals(before)).toBe(true);
  // The refused attempts left the lock intact.
  await store.checkWritable();
  await expect(openStoreIn(directory)).rejects.toMatchObject({ code: 'data_dir_locked' });
  await store.close();
  expect(existsSync(join(directory, 'holder.json'))).toBe(false);
  await (await openStoreIn(directory)).close();
});

test('another process’s lock is named, and kill -9 frees it', async () => {
  const directory = tempDir();
  const child = await storeChild(directory, 'hold');
  expect(child.said).toMatchObject({ open: true });
  await expect(openStoreIn(directory)).rejects.toMatchObject({
    code: 'data_dir_locked',
    message: expect.stringContaining(`process ${child.process.pid}`),
  });
  child.process.kill('SIGKILL');
  await once(child.process, 'exit');
  const store = await openStoreIn(directory);
  expect(JSON.parse(readFileSync(join(directory, 'holder.json'), 'utf8'))).toEqual({
    pid: process.pid,
  });
  await store.checkWritable();
  await store.close();
});

test('a store that could not be opened leaves the directory free', async () => {
  const directory = tempDir();
  writeFileSync(join(directory, 'hookrelay.db'), 'garbage');
  for (let i = 0; i < 2; i++) {
    await expect(openStoreIn(directory)).rejects.toMatchObject({ code: 'database_unusable' });
  }
  lockDataDir(directory).release();
});

test('the holder announces its URL until it releases the lock', () => {
  const directory = tempDir();
  const lock = lockDataDir(directory);
  expect(lockHolder(directory)).toEqual({ pid: process.pid, url: null });
  lock.announce('http://127.0.0.1:9000');
  const holder = { pid: process.pid, url: 'http://127.0.0.1:9000' };
  expect(lockHolder(directory)).toEqual(holder);
  lock.release();
  expect(readdirSync(directory)).toEqual(['lock.db']);
  // The next holder doesn't inherit the URL of a killed one.
  writeFileSync(join(directory, 'holder.json'), JSON.stringify(holder));
  expect(lockHolder(directory)).toBeNull();
  const next = lockDataDir(directory);
  expect(lockHolder(directory)).toEqual({ pid: process.pid, url: null });
  next.release();
});

test('a lock of an unknown holder is refused too', () => {
  const directory = tempDir();
  const lock = lockDataDir(directory);
  writeFileSync(join(directory, 'holder.json'), '{"pid"');
  expect(() => lockDataDir(directory)).toThrow(
    expect.objectContaining({ code: 'data_dir_locked', message: expect.not.stringContaining('(') }),
  );
  lock.release();
});

test('a lock file that cannot be opened makes the directory unusable', () => {
  const directory = tempDir();
  mkdirSync(join(directory, 'lock.db'));
  expect(() => lockDataDir(directory)).toThrow(
    expect.objectContaining({ code: 'data_dir_unusable', hint: expect.any(String) }),
  );
  expect(readdirSync(directory)).toEqual(['lock.db']);
});

test('a command that only reads the lock file does not block a start', async () => {
  const directory = tempDir();
  lockDataDir(directory).release();
  // The worker reads the lock file for a while, like doctor. It continues when the start
  // begins, which blocks this thread, so only a timer can end the read.
  const [BEGINS, LOOKED] = [0, 1];
  const marks = new Int32Array(new SharedArrayBuffer(8));
  const looker = new Worker(
    `const { workerData: { file, marks }, parentPort } = require('node:worker_threads');
     const Database = require('better-sqlite3');
     const db = new Database(file, { readonly: true });
     db.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
     parentPort.postMessage('looking');
     Atomics.wait(marks, ${BEGINS}, 0);
     setTimeout(() => {
       Atomics.store(marks, ${LOOKED}, 1);
       db.exec('COMMIT');
       db.close();
     }, 150);`,
    { eval: true, workerData: { file: join(directory, 'lock.db'), marks } },
  );
  const gone = once(looker, 'exit');
  await once(looker, 'message');
  Atomics.store(marks, BEGINS, 1);
  Atomics.notify(marks, BEGINS);
  const lock = lockDataDir(directory);
  // The start waited for the end of the read.
  expect(Atomics.load(marks, LOOKED)).toBe(1);
  lock.release();
  await gone;
});
