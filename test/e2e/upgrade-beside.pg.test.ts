import { expect, test } from 'vitest';
import { expectStatus, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { BESIDE, runNextMigrations } from '../fixtures/next-migrations.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster, RoundRobin } from './node-cluster.ts';

/** Migrations that add, and so run beside nodes of the version before. */
const ADDING = [
  ...['endpoints', 'destinations', 'events', 'event_contents', 'open_deliveries', 'deliveries'],
  ...['attempts', 'event_texts', 'users', 'sessions'],
].map((table) => `${BESIDE}\nALTER TABLE ${table} ADD COLUMN made_up integer NOT NULL DEFAULT 7`);
const INDEXING = `${BESIDE}
  CREATE INDEX CONCURRENTLY events_made_up ON events (endpoint_key, made_up);
  CREATE INDEX CONCURRENTLY attempts_made_up ON attempts (made_up);`;
const BESIDE_NODES = [...ADDING, INDEXING];
/** No capture of this version fits it. */
const REQUIRING = `ALTER TABLE event_contents ADD COLUMN required text NOT NULL DEFAULT '';
  ALTER TABLE event_contents ALTER COLUMN required DROP DEFAULT`;

/** What a node has logged since it was ready. */
const afterStart = ({ stderr }: { stderr: string }) => stderr.split('is ready at').at(-1);

test('nodes of this version work through the next migration, and end after one that is not for them', {
  timeout: 300_000,
}, async () => {
  const database = await tempMigratedDatabase();
  const target = await httpReceiver((_request, res) => setTimeout(() => res.end('ok'), 100));
  const cluster = new NodeCluster(database.url, ['--drain-delay', '1s']);
  for (let place = 0; place < 2; place++) await cluster.start(place);
  const { nodes } = cluster;
  const account = await register(cluster.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, target.url);
  const senders = new RoundRobin(cluster, `/in/${endpoint.public_token}`, 4);
  const more = async () => {
    const [captured, delivered] = [senders.acknowledged.size, target.requests.length];
    await until(
      'captures and deliveries go on',
      () => senders.acknowledged.size > captured + 100 && target.requests.length > delivered + 20,
      60_000,
    );
  };
  const isReady = ({ url }: { url: string }) =>
    request(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await more();

  // A node of the version before writes the columns that it knows, and reads them.
  const path = `/api/endpoints/${endpoint.id}`;
  await database.query("UPDATE endpoints SET name = 'by an older node', retention_ms = 3600000");
  const older = { name: 'by an older node', retention: '1h', is_active: true };
  expect(expectStatus(200, await account.call('GET', path))).toMatchObject(older);
  expectStatus(200, await account.call('PATCH', path, { expect_every: '1h' }));
  expect(await database.query('SELECT name, expect_every_ms::integer FROM endpoints')).toEqual([
    { name: 'by an older node', expect_every_ms: 3_600_000 },
  ]);

  await runNextMigrations(database.url, BESIDE_NODES);
  await more();
  for (const node of nodes) {
    cluster.entry.url = node.url;
    expectStatus(200, await account.call('GET', `/api/endpoints/${endpoint.id}/events?q=pad`));
    expect(await isReady(node)).toBe(true);
    expect(afterStart(node)).not.toMatch(/"level":"(warn|error)"/);
    expect(afterStart(node)).toContain('a newer node upgraded the schema; this one works with it');
  }
  expect(senders.answers.filter(({ status }) => status !== 200)).toEqual([]);

  await runNextMigrations(database.url, [...BESIDE_NODES, REQUIRING]);
  await until('both fail their checks', async () =>
    (await Promise.all(nodes.map(isReady))).every((ready) => !ready),
  );
  for (const node of nodes) {
    expect(await node.exited(60_000)).toEqual({ code: 1, signal: null });
    expect(node.stderr).toMatch(/the database has schema \d+; this hookrelay knows schemas up to/);
  }
  await senders.stop();
  // No balancer keeps these senders off a node, so at its end they meet a closed port: 0.
  const refused = senders.answers.map(({ status }) => status).filter((status) => status > 200);
  expect(new Set(refused)).toEqual(new Set([503]));
  const claimed = await database.query('SELECT 1 FROM open_deliveries WHERE lease_until > 0');
  expect(claimed).toEqual([]);
});
