import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { LogFields } from '../../../src/core/runtime.ts';
import { PostgresAdmin } from '../../../src/store/postgres/administration/admin.ts';
import { migrations, newestSchema } from '../../../src/store/postgres/connection/migrations.ts';
import { BESIDE, runNextMigrations } from '../../fixtures/next-migrations.ts';
import { until } from '../../fixtures/until.ts';
import { openNodes } from './nodes.ts';
import { openNode, strictLog } from './temp-store.ts';

const LAST_WITHOUT = 13;
const NOTHING = `${BESIDE}\nSELECT 1`;

test('each migration states which nodes go on beside it', () => {
  const stated = migrations().filter(({ number }) => number > LAST_WITHOUT);
  for (const { number, least } of stated) expect(least, `${number}`).toBeLessThan(number);
});

test('a node and a command of this version start on the next schema, unless it is not for them', async () => {
  const { database } = await openNodes(0);
  await runNextMigrations(database.url, [NOTHING]);
  const warnings: unknown[] = [];
  const log = { ...strictLog, warn: (_: string, fields = {}) => warnings.push(fields) };
  await (await openNode(database.url, log)).close();
  expect(warnings).toMatchObject([{ schema: newestSchema() + 1 }]);
  const admin = new PostgresAdmin(database.url);
  onTestFinished(() => admin.close());
  expect(await admin.users.list()).toEqual([]);
  expect((await admin.inspect(1)).database).toMatchObject({ content: { events: 0 } });

  // The one after it doesn't make it theirs again.
  await runNextMigrations(database.url, [NOTHING, 'SELECT 1', NOTHING]);
  await expect(openNode(database.url)).rejects.toMatchObject({ code: 'schema_newer' });
});

test('a node ends where somebody changed the schema and stated nothing', async () => {
  const { database, stores } = await openNodes(1);
  const outdated = new Promise<unknown>((resolve) =>
    stores[0]?.cluster.subscribe((signal) => signal.kind === 'outdated' && resolve(signal.error)),
  );
  await database.query("UPDATE meta SET value = '99' WHERE name = 'schema'");
  expect(await outdated).toMatchObject({ code: 'schema_newer', retryAfterS: expect.any(Number) });
  await expect(stores[0]?.checkWritable()).rejects.toMatchObject({ code: 'schema_newer' });
});

test('a migration gives way to captures while a query holds its table, and then runs', async () => {
  const { database, world } = await openNodes(1);
  const endpoint = await world.endpoint();
  const logged: LogFields[] = [];
  const log = {
    ...strictLog,
    info: (message: string, fields: LogFields = {}) => logged.push({ message, ...fields }),
  };
  const reader = new pg.Client(database.url);
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query('BEGIN; SELECT 1 FROM events LIMIT 1');
  const migrating = runNextMigrations(
    database.url,
    [`${BESIDE}\nALTER TABLE events ADD COLUMN made_up integer`],
    log,
  );
  const last = newestSchema();
  await until('it waits', () => logged.length === 2);
  for (let i = 0; i < 20; i++) await world.event(endpoint);
  await reader.query('COMMIT');
  await migrating;
  const took = { from: last, to: last + 1, took_ms: expect.any(Number) };
  expect(logged).toEqual([
    { message: 'the schema is being upgraded', from: last, to: last + 1 },
    { message: 'a migration waits for a table; captures go on', to: last + 1 },
    { message: 'migrated', ...took },
    { message: 'the schema is up to date', ...took },
  ]);
});

test('an index whose building broke off is built again', async () => {
  const { database, world } = await openNodes(1);
  const endpoint = await world.endpoint();
  await world.events(endpoint, [{}, {}]);
  const index = `${BESIDE}\nCREATE UNIQUE INDEX CONCURRENTLY made_up ON events (endpoint_key);`;
  await expect(runNextMigrations(database.url, [index])).rejects.toThrow(/made_up/);
  const valid = () =>
    database.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'made_up'::regclass");
  expect(await valid()).toEqual([{ indisvalid: false }]);
  await database.query('DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)');
  await runNextMigrations(database.url, [index]);
  expect(await valid()).toEqual([{ indisvalid: true }]);
});
