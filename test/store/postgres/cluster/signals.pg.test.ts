import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StoreSignal } from '../../../../src/store/contract/cluster.ts';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { makeMigratedDatabase, tempMigratedDatabase } from '../../../fixtures/postgres-database.ts';
import { TcpProxy } from '../../../fixtures/tcp-proxy.ts';
import { until } from '../../../fixtures/until.ts';
import { openNodes } from '../nodes.ts';
import { openNode, strictLog } from '../temp-store.ts';

test('signals reach the other nodes but not their sender', async () => {
  const { stores } = await openNodes(3);
  const heard = stores.map(() => [] as StoreSignal[]);
  for (const [i, store] of stores.entries()) {
    store.cluster.subscribe((signal) => heard[i]?.push(signal));
  }
  const [first, second] = stores as [PostgresStore, PostgresStore];
  first.cluster.send({ kind: 'committed' });
  first.cluster.send({ kind: 'due', destinationKeys: new Set([7, 8]) });
  first.cluster.send({ kind: 'due', destinationKeys: new Set([9]) });
  await until('both have the signals', () =>
    heard.slice(1).every((signals) => signals.length === 2),
  );
  for (const signals of heard.slice(1)) {
    expect(signals).toEqual([
      { kind: 'committed' },
      { kind: 'due', destinationKeys: new Set([7, 8, 9]) },
    ]);
  }
  // With more keys than a notification holds, the signal is for any destination.
  second.cluster.send({
    kind: 'due',
    destinationKeys: new Set(Array.from({ length: 5000 }, (_, i) => i)),
  });
  await until('the first has the signal', () => heard[0]?.length === 1);
  expect(heard[0]).toEqual([{ kind: 'due', destinationKeys: null }]);
  expect(heard[1]).toHaveLength(2);
});

test('released claims are signalled to the other nodes', async () => {
  const { stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint);
  await world.event(endpoint);
  const heard: StoreSignal[] = [];
  b.cluster.subscribe((signal) => heard.push(signal));
  await a.queue.release(await world.claimDue());
  await until('b has the signal', () => heard.length > 0);
  expect(heard).toEqual([{ kind: 'due', destinationKeys: new Set([destination.key]) }]);
});

test('signals gather while the database hangs, and go together afterwards', async () => {
  const database = await tempMigratedDatabase();
  const proxy = await TcpProxy.open(database.url);
  const sender = await openNode(proxy.url);
  const hearer = await openNode(database.url);
  const heard: StoreSignal[] = [];
  hearer.cluster.subscribe((signal) => heard.push(signal));
  try {
    proxy.hold();
    // The driver warns of two queries at once on a connection (test/fixtures/fail-on-warnings.ts).
    for (let key = 1; key <= 5; key++) {
      sender.cluster.send({ kind: 'due', destinationKeys: new Set([key]) });
      await sleep(30);
    }
    proxy.release();
    const keys = () =>
      heard.flatMap((signal) => (signal.kind === 'due' ? [...(signal.destinationKeys ?? [])] : []));
    await until('all signals arrive', () => keys().length === 5);
    expect(keys()).toEqual([1, 2, 3, 4, 5]);
  } finally {
    await sender.close();
    await hearer.close();
  }
});

test('a node whose connection was cut gets signals again, and reports the gap', async () => {
  const database = await tempMigratedDatabase();
  // Background work may be cut too, and logs it.
  const log = { ...strictLog, info() {}, warn() {} };
  const node = await openNode(database.url, log);
  try {
    const heard: string[] = [];
    node.cluster.subscribe(({ kind }) => heard.push(kind));
    await database.query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    await until('it listens again', () => heard.includes('resumed'));
    // Every pool has new connections.
    await node.checkWritable();
    await node.stats(0);
    expect(
      await node.queue.claimDue(0, { leaseUntil: 0, limit: 1, perDestination: 1, skip: new Set() }),
    ).toEqual([]);
  } finally {
    await node.close();
  }
});

test('closing a node leaves no connection behind', async () => {
  const database = await makeMigratedDatabase();
  const node = await openNode(database.url);
  await node.stats(0);
  await node.close();
  // A backend ends after its connection. An idle one that was left would stay for a minute.
  const left = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'hookrelay%'`;
  await until(
    'no connection is left',
    async () => (await database.query(left)).length === 0,
    30_000,
  );
  await database.drop();
});
