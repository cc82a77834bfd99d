import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { blocksHolding } from '../../../src/store/sqlite/search-index/gram-set.ts';
import { capture, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { checkDatabase } from '../../fixtures/running-server.ts';
import { Terminal } from '../command-line.ts';
import { captureLoad, DataDir, eventIds, query, serveData } from '../local-server.ts';

failOnLeaks();

const DAY_MS = 86_400_000;

/** Events from 40 days ago and from now. One old event still has an open delivery. */
async function agedData(): Promise<{ data: DataDir; kept: string[] }> {
  const data = new DataDir();
  const kept = await data.fill(async (world) => {
    const endpoint = await world.endpoint();
    world.now -= 40 * DAY_MS;
    await world.events(endpoint, new Array(300).fill({ body: 'old' }));
    await world.destination(endpoint);
    const open = await world.event(endpoint, { body: 'old, and not delivered yet' });
    world.now += 40 * DAY_MS;
    const fresh = await world.events(endpoint, [{ body: 'new' }, { body: 'newer' }]);
    return [open, ...fresh].map(({ id }) => id);
  });
  return { data, kept: kept.sort() };
}

test('migrate does not recreate a lost database, and leaves its log', async () => {
  const { data } = await agedData();
  const log = `${data.database}-wal`;
  rmSync(data.database);
  writeFileSync(log, 'what is left of it');
  const refused = await data.run(['migrate']);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('is gone');
  expect(existsSync(data.database)).toBe(false);
  expect(readFileSync(log, 'utf8')).toBe('what is left of it');
});

test('prune counts, asks, and deletes old events that are done', async () => {
  const { data, kept } = await agedData();
  const counted = await data.json('prune', '--before', '30d', '--dry-run');
  expect(counted).toMatchObject({ matching: 300, skipped: 1 });
  const unasked = await data.run(['prune', '--before', '30d']);
  expect(unasked).toMatchObject({ code: 2, stdout: '' });
  expect(unasked.stderr).toContain('--yes');
  const future = await data.run(['prune', '--before', '9999-01-01', '--yes']);
  expect(future.code).toBe(2);
  expect(query(data.database, eventIds)).toHaveLength(303);

  const args = ['prune', '--before', '30d', '--data-dir', data.path];
  const no = new Terminal({ home: data.home }, args);
  (await no.seen('Delete 300 events')).type('\r');
  expect(await no.ended()).toBe(1);
  const yes = new Terminal({ home: data.home }, args);
  (await yes.seen('[y/N]')).type('y\r');
  expect(await yes.ended()).toBe(0);
  expect(yes.screen).toContain('300 events deleted');
  expect(query(data.database, eventIds)).toEqual(kept);
  checkDatabase(data.path);
});

test('prune beside a server under load keeps new events, and searches stay exact', async () => {
  const data = new DataDir();
  const server = await serveData(data);
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const old = await capture(endpoint.capture_url, 'an old needle');
  const load = await captureLoad(endpoint.capture_url);
  const before = new Date().toISOString();
  const pruned = await data.json('prune', '--before', before, '--yes');
  await load.goesOn(20);
  await load.stop();
  expect(pruned.removed).toBeGreaterThan(0);
  const { total } = await account.list(endpoint);
  expect(total).toBe(load.acknowledged.length + 1 - pruned.removed);
  expect((await account.list(endpoint, '?q=needle')).data).toEqual([]);
  expect((await account.call('GET', `/api/events/${old}`)).status).toBe(404);
  await server.stop();
  checkDatabase(data.path);
});

test('reindex rebuilds the index, but not beside a server', async () => {
  const { data } = await agedData();
  const server = await serveData(data);
  const refused = await data.run(['reindex']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(`process ${server.pid}`);
  await server.stop();

  const index = join(data.path, 'search.db');
  writeFileSync(index, 'not an index');
  expect(await data.json('reindex')).toMatchObject({ indexed: 303 });
  expect(statSync(index).mode & 0o777).toBe(0o600);
  const found = query(index, (db) =>
    db
      .prepare(
        'SELECT sum(last - first + 1) FROM blocks WHERE last IN (SELECT rowid FROM grams(?))',
      )
      .pluck()
      .get(blocksHolding([['old']])),
  );
  // The two new events are in the last block, with old ones.
  expect(found).toBe(303);
  const report = await data.json('doctor', '--ai', 'off');
  expect(report.findings).toContainEqual(
    expect.objectContaining({ check: 'search index', message: 'holds every event' }),
  );

  const nowhere = new DataDir();
  expect((await nowhere.run(['reindex'])).code).toBe(1);
  expect(existsSync(nowhere.path)).toBe(false);
});

test('migrate names both versions, and leaves a newer database or one in use', async () => {
  const data = new DataDir();
  const made = await data.json('migrate');
  expect(made).toMatchObject({ from: 0 });
  expect(await data.json('migrate')).toMatchObject({ from: made.to, to: made.to });

  const server = await serveData(data);
  const refused = await data.run(['migrate']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`process ${server.pid}`);
  await server.stop();
  const moved = await data.run(['migrate', '--from', 'sqlite', '--to', 'mysql://db/x']);
  expect(moved).toMatchObject({ code: 2, stdout: '' });
  expect(moved.stderr).toContain('data moves to PostgreSQL only');

  const db = new Database(data.database);
  db.pragma('user_version = 9999');
  db.close();
  for (const args of [['migrate'], ['users', 'list'], ['reindex'], ['prune', '--before', '1d']]) {
    const outcome = await data.run(args.includes('prune') ? [...args, '--yes'] : args);
    expect(outcome, args.join(' ')).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain('schema 9999');
    expect(outcome.stderr).toContain('hint: ');
  }
  // A backup is useful before an upgrade, or after a failed one.
  expect(await data.json('backup', join(data.home, 'copy.db'))).toMatchObject({ schema: 9999 });
});

test('an account sees the plan that it was given', async () => {
  const data = new DataDir();
  const email = 'ada@example.com';
  const args = ['users', 'create', '--email', email, '--plan', 'pro', '--password-stdin'];
  expect((await data.run(args, 'correct horse battery')).code).toBe(0);
  const server = await serveData(data, '--registration', 'closed');
  const login = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  });
  expect(login.status).toBe(200);
  expect(await login.json()).toMatchObject({ user: { email, plan: 'pro' } });
  await server.stop();
});
