import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { capture, register } from '../fixtures/account.ts';
import { EventStream } from '../fixtures/event-stream.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

/** The locks that order keys share (`connection/locks.ts`), as another node's commit holds them. */
const LOCK_ORDERS = `
  SELECT pg_advisory_xact_lock(${0x686b04}, bucket) FROM generate_series(0, 1023) AS bucket`;

/** Transactions that wait for an order key. */
const WAITING = `
  SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = ${0x686b04}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

test('captures, attempts and streams of others go on while an order key is locked', async () => {
  const database = await tempMigratedDatabase();
  const nodes = new NodeCluster(database.url);
  const { url } = await nodes.start(0);
  let answer = () => {};
  const target = await httpReceiver(({ headers }, res) => {
    if (headers['x-key'] === undefined) res.end();
    else answer = () => res.end();
  });
  const ordering = await register(nodes.entry);
  const orders = await ordering.createEndpoint();
  await ordering.addDestination(orders, target.url, undefined, { order_by: 'header.x-key' });
  const other = await register(nodes.entry);
  const plain = await other.createEndpoint();
  await other.addDestination(plain, target.url);
  const stream = new EventStream(`${url}/api/stream`, other.authorization);
  await until('the stream is open', () => stream.caughtUpAt.length > 0);
  const ordered = () =>
    capture(`${url}/in/${orders.public_token}`, '{}', { headers: { 'x-key': 'a' } });

  const first = await ordered();
  await target.received(1);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN');
  await holder.query(LOCK_ORDERS);
  // A record of an attempt and a capture wait for the lock.
  answer();
  const second = ordered();
  let isCaptured = false;
  const captured = second.then(() => {
    isCaptured = true;
  });
  await until('both wait', async () => (await database.query(WAITING)).length === 2);

  const id = await capture(`${url}/in/${plain.public_token}`);
  const [attempt] = await stream.received('attempt');
  expect([attempt?.data.event_id, stream.of('event')[0]?.data.id]).toEqual([id, id]);
  expect(isCaptured).toBe(false);
  expect(await database.query(WAITING)).toHaveLength(2);

  await holder.query('ROLLBACK');
  await captured;
  await target.received(3);
  answer();
  await until(
    'they are delivered in order',
    async () => (await database.query('SELECT 1 FROM open_deliveries')).length === 0,
  );
  const came = target.requests.filter(({ headers }) => headers['x-key'] !== undefined);
  expect(came.map(({ headers }) => headers['webhook-id'])).toEqual([first, await second]);
});
