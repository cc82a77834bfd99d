import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openNodes } from '../nodes.ts';

const TABLES = [
  ...['endpoints', 'events', 'event_contents', 'event_counts'],
  ...['open_deliveries', 'deliveries', 'attempts'],
];

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** What a node on a database of its own answers while a table is locked. */
async function answerWhileLocked(table: string): Promise<string> {
  const { database, stores } = await openNodes(1);
  const holder = await connect(database.url);
  await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  // As long as a capture waits before it is refused.
  const capture = await connect(database.url);
  await capture.query("SET lock_timeout = '10s'");
  let refused = false;
  const waiting = capture.query(`SELECT 1 FROM ${table}`).catch(() => {
    refused = true;
  });
  const answer = await stores[0]?.checkWritable().then(
    () => 'ready',
    ({ code }) => code as string,
  );
  const isFirst = !refused;
  await holder.query('ROLLBACK');
  await waiting;
  await stores[0]?.checkWritable();
  return `${table}: ${answer}, ${isFirst ? 'before' : 'after'} a capture is refused`;
}

test('while a table is locked, a node reports early that it is not ready', async () => {
  // At once: each check waits a second for its lock.
  const answers = await Promise.all(TABLES.map(answerWhileLocked));
  expect(answers).toEqual(
    TABLES.map((table) => `${table}: overloaded, before a capture is refused`),
  );
});
