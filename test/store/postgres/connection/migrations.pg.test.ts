import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Dedupe } from '../../../../src/core/proof/dedupe.ts';
import type { LogFields } from '../../../../src/core/runtime/runtime.ts';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../../../src/core/settings/endpoint-settings.ts';
import { PostgresAdmin } from '../../../../src/store/postgres/administration/admin.ts';
import { migrations, newestSchema } from '../../../../src/store/postgres/connection/migrations.ts';
import { BESIDE, runNextMigrations } from '../../../fixtures/next-migrations.ts';
import { until } from '../../../fixtures/until.ts';
import { settingsPatch, withSettings } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';
import { openNode, strictLog } from '../temp-store.ts';

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

test('settings of an endpoint that one version writes reach the other', async () => {
  const { database, world } = await openNodes(1);
  const { endpoints } = world.store;
  // JSON functions of PostgreSQL refuse some of these.
  const body = '"\0\ud800~0~1\\u0000\\\\';
  const response = { status: 202, content_type: null, body };
  const dedupe: Dedupe = { by: ['body."~1\\"'], since: 's' };
  const chosen = { name: 'é~2"\\', response, retention: 60_000, expect_every: 1000, dedupe };
  const made = await world.endpoint({ ...chosen, is_active: false, on_unjudged: 'hold' });
  const columns = async () => {
    const [row] = await database.query<Record<string, string>>(`
      SELECT name, is_active, response, retention_ms::integer, expect_every_ms::integer, dedupe,
        hold_unjudged FROM endpoints WHERE key = ${made.key}`);
    const { response = 'null', dedupe = 'null', ...others } = row ?? {};
    return { ...others, response: JSON.parse(response), dedupe: JSON.parse(dedupe) };
  };
  expect(await columns()).toEqual({
    ...{ name: chosen.name, is_active: false, response, retention_ms: 60_000 },
    ...{ expect_every_ms: 1000, dedupe, hold_unjudged: true },
  });
  // A node of the version before changes some, and keeps what it doesn't know.
  await database.query(
    `UPDATE endpoints SET settings = left(settings, -1) || ',"made_up":"\\u0000"}'`,
  );
  await database.query("UPDATE endpoints SET name = 'b', retention_ms = NULL, is_active = true");
  const other = { name: 'b', retention: null, is_active: true, made_up: '\0' };
  expect(await endpoints.find(made.userId, made.id)).toEqual(withSettings(made, other));
  await endpoints.update(made.key, settingsPatch({ response: null, on_unjudged: 'deliver' }));
  expect(await columns()).toEqual({
    ...{ name: 'b', is_active: true, response: null, retention_ms: null },
    ...{ expect_every_ms: 1000, dedupe, hold_unjudged: false },
  });
  await database.query(
    `INSERT INTO endpoints (id, user_id, name, public_token, is_active, response, created_at)
     VALUES ('ep_old', $1, 'old', 'old', true, $2, 0)`,
    [made.userId, JSON.stringify(response)],
  );
  expect((await endpoints.find(made.userId, 'ep_old'))?.settings).toEqual({
    ...{ ...DEFAULT_ENDPOINT_SETTINGS, name: 'old', response },
  });
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
