import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../../src/core/model.ts';
import { makeMigratedDatabase, type TestDatabase } from '../../../fixtures/postgres-database.ts';
import { until } from '../../../fixtures/until.ts';
import { World } from '../../conformance/world.ts';
import { TO_SCHEMA_8 } from '../downgrade.ts';
import { openNode } from '../temp-store.ts';

const WINDOW = { offset: 0, limit: 10 };

interface Opened {
  database: TestDatabase;
  world: World;
  endpoint: Endpoint;
}

async function open(): Promise<Opened> {
  const database = await makeMigratedDatabase();
  let node = await openNode(database.url);
  const world = new World({
    store: node,
    async reopen() {
      node = await openNode(database.url);
      return node;
    },
    close: () => node.close(),
  });
  onTestFinished(async () => {
    await world.close();
    await database.drop();
  });
  return { database, world, endpoint: await world.endpoint() };
}

/** Stores events whose bodies are of this SQL expression, by `s` from 1. */
async function fill({ database, endpoint }: Opened, count: number, body: string): Promise<void> {
  await database.query(`
    SELECT setval('event_seqs', ${count});
    INSERT INTO event_contents SELECT s, ${endpoint.key}, '', '[]', convert_to(${body}, 'UTF8')
    FROM generate_series(1, ${count}) s;
    INSERT INTO events SELECT c.endpoint_key, c.seq, 'evt_' || c.seq, 0, 1, 'POST', '', NULL,
      length(c.body), NULL, NULL, '192.0.2.1', 1000000 FROM event_contents c;
    INSERT INTO event_counts VALUES (${endpoint.key}, 0, 0, ${count})`);
}

test('a short search does not wait for the end of a long one', async () => {
  const opened = await open();
  const { store } = opened.world;
  await fill(opened, 10_000, `'{"n":' || s || ',"list":[' || repeat('1,', 500) || '1]}'`);
  const other = await opened.world.endpoint();
  await opened.world.events(other, [{ body: '{"n":1}' }]);
  const ended: string[] = [];
  const search = async (name: string, { key }: Endpoint) => {
    const page = await store.events.list({ endpointKeys: [key] }, { where: 'body.n<2' }, WINDOW);
    expect(page.total).toBe(1);
    ended.push(name);
  };
  // The thread has started.
  await search('first', other);
  const long = search('long', opened.endpoint);
  await search('short', other);
  await long;
  expect(ended).toEqual(['first', 'short', 'long']);
});

test('an aborted search ends after its batch, and lets go of its snapshot', async () => {
  const opened = await open();
  await fill(opened, 300, `repeat('x', 1000000)`);
  const scope = { endpointKeys: [opened.endpoint.key] };
  // Judging a batch takes much longer than fetching it.
  const where = Array.from({ length: 10 }, (_, i) => `body~=(xx|x{${i + 1}})+y`).join(' or ');
  const aborter = new AbortController();
  const search = opened.world.store.events.list(scope, { where }, WINDOW, aborter.signal);
  const reading = (state: string) =>
    opened.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND application_name LIKE 'hookrelay%' AND backend_xmin IS NOT NULL AND state LIKE $1`,
      [state],
    );
  // Nothing that PostgreSQL does can be cancelled now.
  await until('it judges', async () => (await reading('idle in transaction')).length > 0);
  aborter.abort(new Error('enough'));
  await expect(search).rejects.toThrow('enough');
  await until('the snapshot is gone', async () => (await reading('%')).length === 0, 5000);
});

test('bodies of 25 MiB are judged, each alone', async () => {
  const opened = await open();
  const { world, endpoint } = opened;
  await world.events(endpoint, [{ body: '{"a":{"n":3}}' }]);
  await opened.database.query(`
    UPDATE event_contents SET body =
      convert_to('{"a":{"n":3},"list":[' || repeat('"0123456789abcdef",', 1310000) || '0]}', 'UTF8');
    UPDATE events SET size = (SELECT length(body) FROM event_contents)`);
  await world.events(endpoint, [{ body: '{"a":{"n":3}}' }, { body: '{"a":{"n":4}}' }]);
  expect(await world.listed(endpoint, { where: 'body.a.n=3' })).toHaveLength(2);
});

test('after an upgrade, forms are found by what their encoding hides', async () => {
  const { database, world, endpoint } = await open();
  const form = { contentType: 'application/x-www-form-urlencoded', body: 'city=K%C3%B6ln' };
  await world.events(endpoint, [form]);
  await world.indexed();
  await world.store.close();
  // As version 7 left it: the text as received alone.
  await database.query(`${TO_SCHEMA_8};
    UPDATE event_texts SET text = 'city=K%C3%B6ln';
    UPDATE meta SET value = '7' WHERE name = 'schema'`);
  await world.reopen();
  const found = () => world.listed(endpoint, { where: 'form.city=Köln' });
  expect(await found()).toHaveLength(1);
  await world.indexed();
  expect(await found()).toHaveLength(1);
  expect(await database.query('SELECT text FROM event_texts')).toEqual([
    { text: 'city=K%C3%B6ln\ncity=Köln' },
  ]);
});
