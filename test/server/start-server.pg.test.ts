import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, tempDatabase } from '../fixtures/postgres-database.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { spawnServe } from '../fixtures/served-process.ts';

/* A start that fails once the database is open closes all, and the process ends by itself. */

function start(database: TestDatabase, port = 0) {
  return spawnServe(['--port', String(port), '--data-dir', tempDir(), '--log-format', 'json'], {
    HOOKRELAY_DATABASE: database.url,
    HOOKRELAY_SECRET_KEY: 'a secret of the nodes, of 32 bytes or more',
  });
}

test('a start that cannot listen exits 1 with address_in_use', async () => {
  const busy = net.createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  onTestFinished(() => {
    busy.close();
  });
  const served = start(await tempDatabase(), (busy.address() as net.AddressInfo).port);
  expect(await served.exited()).toEqual({ code: 1, signal: null });
  expect(served.stderr).toContain('address_in_use');
});

test('a start whose check for accounts fails exits 1 with the cause', async () => {
  const database = await tempDatabase();
  const first = start(database);
  await first.ready();
  first.kill('SIGKILL');
  await first.exited();
  await database.query('ALTER TABLE users RENAME TO users_gone');
  const served = start(database);
  expect(await served.exited()).toEqual({ code: 1, signal: null });
  const last = served.stderr.trimEnd().split('\n').at(-1) as string;
  expect(JSON.parse(last)).toMatchObject({
    level: 'error',
    msg: 'unexpected error',
    error: { message: expect.stringContaining('relation "users" does not exist') },
  });
});
