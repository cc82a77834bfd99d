import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { tempDatabase } from '../fixtures/postgres-database.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { type ServedProcess, spawnServe } from '../fixtures/served-process.ts';
import { TcpProxy } from '../fixtures/tcp-proxy.ts';
import { until } from '../fixtures/until.ts';

/** Starts a node without waiting for it. */
function startNode(database: string, ...flags: string[]): ServedProcess {
  return spawnServe(['--port', '0', '--data-dir', tempDir(), '--log-format', 'json', ...flags], {
    HOOKRELAY_DATABASE: database,
    HOOKRELAY_SECRET_KEY: randomBytes(32).toString('hex'),
  });
}

const saysThatItWaits = (node: ServedProcess) =>
  until('it says that it waits', () => {
    expect(node.exit).toBeNull();
    return node.stderr.includes('waits for the database');
  });

test('a node waits for an unreachable database, says why, and then starts', async () => {
  const proxy = await TcpProxy.open((await tempDatabase()).url);
  await proxy.goAway();
  const node = startNode(proxy.url);
  await saysThatItWaits(node);
  expect(node.stderr).toContain('ECONNREFUSED');
  await proxy.comeBack();
  await node.ready();
  expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
});

test('a start that the database breaks off, or hangs, starts over', async () => {
  const proxy = await TcpProxy.open((await tempDatabase()).url);
  proxy.cutAt = 'secret_check';
  const node = startNode(proxy.url);
  await saysThatItWaits(node);
  expect(proxy.cuts).toBeGreaterThan(0);
  proxy.hold();
  proxy.cutAt = null;
  await until('it says that it hangs', () => node.stderr.includes('timeout'), 60_000);
  expect(node.exit).toBeNull();
  proxy.release();
  await node.ready();
});

test('SIGTERM ends the wait cleanly, whether the database is away or hangs', async () => {
  const proxy = await TcpProxy.open((await tempDatabase()).url);
  proxy.hold();
  const hanging = startNode(proxy.url);
  await saysThatItWaits(hanging);
  hanging.kill('SIGTERM');
  expect(await hanging.exited()).toEqual({ code: 0, signal: null });
  expect(hanging.stderr).toContain('stopped before it was ready');

  await proxy.goAway();
  const away = startNode(proxy.url);
  await saysThatItWaits(away);
  away.kill('SIGTERM');
  expect(await away.exited()).toEqual({ code: 0, signal: null });
});

test('the wait ends at its limit', async () => {
  const proxy = await TcpProxy.open((await tempDatabase()).url);
  await proxy.goAway();
  const node = startNode(proxy.url, '--database-wait', '1s');
  expect(await node.exited()).toEqual({ code: 1, signal: null });
  expect(node.stderr).toContain('pg_isready');
});

test('an error that waiting cannot cure ends the start at once', async () => {
  const { url } = await tempDatabase();
  const changed = (change: (one: URL) => void) => {
    const one = new URL(url);
    change(one);
    return one.href;
  };
  for (const [database, said] of [
    [changed((one) => (one.password = 'wrong-one')), 'refused the login'],
    [changed((one) => (one.password = '')), 'refused the login'],
    [changed((one) => (one.pathname = '/nowhere')), 'createdb'],
    [`${url}?sslmode=verify-full`, 'sslmode='],
  ] as const) {
    const node = startNode(database);
    expect(await node.exited()).toEqual({ code: 1, signal: null });
    expect(node.stderr).toContain(said);
    expect(node.stderr).not.toContain('waits for the database');
    expect(node.stderr).not.toContain('wrong-one');
  }
});
