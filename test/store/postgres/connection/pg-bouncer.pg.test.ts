import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openAdmin } from '../../../../src/store/open.ts';
import { Database } from '../../../../src/store/postgres/connection/database.ts';
import { startPgBouncer } from '../../../fixtures/pg-bouncer.ts';
import { tempDatabase } from '../../../fixtures/postgres-database.ts';
import { tempDir } from '../../../fixtures/running-server.ts';
import { spawnServe } from '../../../fixtures/served-process.ts';
import { until } from '../../../fixtures/until.ts';
import { openNode } from '../temp-store.ts';

function databaseOn(url: string): Database {
  const db = new Database({ url, applicationName: 'hookrelay test' });
  onTestFinished(() => db.close());
  return db;
}

const TIMEOUTS = `SELECT current_setting('statement_timeout') AS statement,
  current_setting('lock_timeout') AS lock,
  current_setting('idle_in_transaction_session_timeout') AS idle`;

describe('behind PgBouncer in session mode', () => {
  test('nodes start, get each other’s signals, and have their timeouts', async () => {
    const url = await startPgBouncer((await tempDatabase()).url, { pool_mode: 'session' });
    const [a, b] = [await openNode(url), await openNode(url)];
    try {
      let heard = false;
      b.cluster.subscribe(() => {
        heard = true;
      });
      a.cluster.send({ kind: 'committed' });
      await until('the signal arrives', () => heard);
      await a.checkWritable();
    } finally {
      await Promise.all([a.close(), b.close()]);
    }
    const db = databaseOn(url);
    const expected = { lock: '10s', idle: '15s' };
    expect(await db.rows(TIMEOUTS)).toEqual([{ ...expected, statement: '20s' }]);
    expect(await db.lease((sql) => sql.rows(TIMEOUTS))).toEqual([
      { ...expected, statement: '20s' },
    ]);
    expect(await db.snapshot((sql) => sql.rows(TIMEOUTS))).toEqual([
      { ...expected, statement: '1min' },
    ]);
  });

  test('an aborted read ends in the database', async () => {
    const database = await tempDatabase();
    const url = await startPgBouncer(database.url, { pool_mode: 'session' });
    const db = databaseOn(url);
    const asleep = async () =>
      (
        await database.query(
          "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(50)'",
        )
      ).length === 1;
    const aborted = new AbortController();
    const reading = db.snapshot((sql) => sql.rows('SELECT pg_sleep(50)'), aborted.signal);
    await until('it reads', asleep);
    aborted.abort(new Error('nobody waits for it'));
    await expect(reading).rejects.toThrow('nobody waits for it');
    await until('it reads no more', async () => !(await asleep()));
  });

  test('too few connections for a node are named at its start', async () => {
    const url = await startPgBouncer((await tempDatabase()).url, {
      pool_mode: 'session',
      default_pool_size: 8,
    });
    await expect(openNode(url)).rejects.toMatchObject({
      code: 'storage_unavailable',
      hint: expect.stringContaining('default_pool_size'),
    });
    await (await openNode(`${url}?pool_size=7`)).close();
  });
});

describe.each(['transaction', 'statement'] as const)('behind PgBouncer in %s mode', (pool_mode) => {
  // Both orders of reuse. A node takes 17 connections.
  test.each([
    [1, 0],
    [2, 1],
    [17, 1],
    [20, 0],
  ] as const)(
    'a node refuses to start, over %i connections, round robin %i',
    async (size, robin) => {
      const { url: direct } = await tempDatabase();
      const url = await startPgBouncer(direct, {
        pool_mode,
        default_pool_size: size,
        server_round_robin: robin,
      });
      // Opens all server connections that PgBouncer may have, and leaves them idle.
      const clients = Array.from({ length: size }, () => new pg.Client({ connectionString: url }));
      await Promise.all(clients.map((client) => client.connect()));
      await Promise.all(clients.map((client) => client.query('SELECT pg_sleep(0.2)')));
      await Promise.all(clients.map((client) => client.end()));
      await expect(openNode(url)).rejects.toMatchObject({
        code: 'database_unusable',
        message: expect.stringContaining('pooler'),
        hint: expect.stringContaining('pool_mode = session'),
      });
    },
  );

  test('commands refuse it too, and `serve` exits', async () => {
    const url = await startPgBouncer((await tempDatabase()).url, { pool_mode });
    const admin = await openAdmin({ database: url, dataDir: '/nowhere' });
    await expect(admin.users.list()).rejects.toMatchObject({ code: 'database_unusable' });
    await admin.close();
    const node = spawnServe(['--port', '0', '--data-dir', tempDir()], {
      HOOKRELAY_DATABASE: url,
      HOOKRELAY_SECRET_KEY: randomBytes(32).toString('hex'),
    });
    expect(await node.exited()).toEqual({ code: 1, signal: null });
    expect(node.stderr).toContain('pool_mode = session');
  });
});

test('a transaction without an fsync changes no other transaction', async () => {
  const { url: direct } = await tempDatabase();
  const url = await startPgBouncer(direct, { pool_mode: 'transaction', default_pool_size: 1 });
  const db = databaseOn(url);
  const setting = "SELECT current_setting('synchronous_commit') AS value";
  expect(await db.lease((sql) => sql.rows(setting))).toEqual([{ value: 'off' }]);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    expect((await other.query(setting)).rows).toEqual([{ value: 'on' }]);
  } finally {
    await other.end();
  }
});
