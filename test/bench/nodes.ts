import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BorrowedBody } from '../../src/core/http/borrowed-body.ts';
import { newId } from '../../src/core/ids.ts';
import type { Endpoint } from '../../src/core/model.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../src/core/settings/destination-settings.ts';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../src/core/settings/endpoint-settings.ts';
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { MANY } from '../fixtures/many.ts';
import { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { count, ms, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { Program } from './harness/program.ts';
import { HookrelayServer } from './harness/server.ts';
import { median, spread } from './harness/statistics.ts';
import type { ReceiverOperations } from './programs/receiver.ts';

/** Deliveries in a claim: as many as a node that runs low takes. */
const CLAIM_SIZE = 256;
const QUEUE_DESTINATIONS = 100;
/** Approximate size of a captured row: 1 KB of body, and as much for the rest. */
const ROW_BYTES = 2048;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const CAPTURE_NOTHING = { leaseUntil: 0, limit: 0, skip: new Set<number>() };

/**
 * One, two and three nodes on the same PostgreSQL, all on this machine: their
 * captures and deliveries per second, compared with one node and with pgbench
 * inserts of rows of that size; and the cost of a claim with a long queue. On two
 * cores the nodes, the load generator and PostgreSQL compete for the same
 * processors: the ratios show how the database handles several nodes, not the
 * throughput of several machines.
 */
export const nodes: Measurement = {
  name: 'nodes',
  async run(context) {
    const cluster = await PostgresCluster.start({ shared_buffers: '512MB', max_wal_size: '4GB' });
    try {
      return [
        ...(await capturing(cluster, context)),
        ...(await delivering(cluster, context)),
        await claiming(cluster, context),
      ];
    } finally {
      await cluster.destroy();
    }
  },
};

export async function newDatabase(cluster: PostgresCluster): Promise<string> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  await cluster.query(`CREATE DATABASE ${name}`);
  return name;
}

function startNodes(cluster: PostgresCluster, database: string, number: number) {
  const env = {
    HOOKRELAY_DATABASE: cluster.url(database),
    HOOKRELAY_SECRET_KEY: 'the same secret on every node of it',
  };
  return Promise.all(
    Array.from({ length: number }, () =>
      HookrelayServer.start({ dataDir: cluster.directory, profileDir: null, env }),
    ),
  );
}

export async function onStore<T>(
  cluster: PostgresCluster,
  database: string,
  work: (store: PostgresStore) => Promise<T>,
): Promise<T> {
  const store = await openPostgresStore({
    database: cluster.url(database),
    log: SILENT,
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** An endpoint, with a destination if `url` is set. */
export async function makeEndpoint(store: PostgresStore, url: string | null) {
  const now = store.clock.now();
  const userId = newId('usr', now);
  await store.accounts.createUser({
    id: userId,
    email: `${userId}@example.com`,
    plan: 'free',
    passwordHash: 'none',
    createdAt: now,
  });
  const endpoint = await store.endpoints.create(
    {
      id: newId('ep', now),
      userId,
      publicToken: newId('ep', now),
      settings: { ...DEFAULT_ENDPOINT_SETTINGS, name: 'bench' },
      source: null,
      createdAt: now,
    },
    MANY,
  );
  if (url !== null) {
    await store.destinations.add(
      endpoint.key,
      {
        id: newId('dst', now),
        url,
        sealedSecret: null,
        sealedHeaders: null,
        settings: DEFAULT_DESTINATION_SETTINGS,
        createdAt: now,
      },
      MANY,
    );
  }
  return endpoint;
}

async function capturing(cluster: PostgresCluster, { sizes, load, log }: Context): Promise<Row[]> {
  const { most, connections, seconds, rounds } = sizes.nodes;
  const plain: number[] = [];
  const rates = new Map<number, number[]>();
  const database = await newDatabase(cluster);
  const { publicToken } = await onStore(cluster, database, (store) => makeEndpoint(store, null));
  for (let round = 0; round < rounds; round++) {
    plain.push(await pgbench(cluster, seconds));
    for (let number = 1; number <= most; number++) {
      log(`captures on ${number} nodes`);
      const running = await startNodes(cluster, database, number);
      const run = async (time: number) => {
        const results = await Promise.all(
          running.map(({ url }) =>
            load.run({
              url: `${url}/in/${publicToken}`,
              connections: Math.ceil(connections / number),
              seconds: time,
            }),
          ),
        );
        const failed = results.reduce((sum, result) => sum + result.failed, 0);
        if (failed > 0) throw new Error(`${failed} captures failed`);
        return results.reduce((sum, { ok, seconds: took }) => sum + ok / took, 0);
      };
      await run(1);
      rates.set(number, [...(rates.get(number) ?? []), await run(seconds)]);
      await Promise.all(running.map((server) => server[Symbol.asyncDispose]()));
    }
  }
  const one = rates.get(1) as number[];
  return [...rates].map(([number, values]) => ({
    label: number === 1 ? '1 node captures / pgbench inserts' : `${number} nodes capture / 1 node`,
    result: {
      kind: 'ratio',
      ...spread(values.map((value, i) => value / ((number === 1 ? plain : one)[i] as number))),
    },
    ours: perSecond(median(values)),
    against: `${perSecond(median(number === 1 ? plain : one))}${number === 1 ? ' pgbench' : ''}`,
    notes: `${(median(values) / median(plain)).toFixed(2)} of pgbench`,
    figures: { capturesPerSecond: median(values), pgbenchPerSecond: median(plain) },
  }));
}

/** Inserts rows of a capture's size, one per transaction, by 16 clients. */
async function pgbench(cluster: PostgresCluster, seconds: number): Promise<number> {
  const script = join(cluster.directory, 'insert.sql');
  const database = await newDatabase(cluster);
  await cluster.query(
    'CREATE TABLE plain (id bigserial PRIMARY KEY, body text NOT NULL)',
    [],
    database,
  );
  await cluster.query('ALTER TABLE plain ALTER body SET STORAGE PLAIN', [], database);
  writeFileSync(script, `INSERT INTO plain (body) VALUES (repeat('x', ${ROW_BYTES}));\n`);
  const { stdout } = await promisify(execFile)(cluster.program('pgbench'), [
    ...['-n', '-M', 'prepared', '-c', '16', '-j', '1', '-T', String(seconds), '-f', script],
    cluster.url(database),
  ]);
  const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
  if (rate === undefined) throw new Error(`pgbench said: ${stdout}`);
  return Number(rate);
}

async function delivering(cluster: PostgresCluster, { sizes, log }: Context): Promise<Row[]> {
  const { most, deliveries, rounds } = sizes.nodes;
  await using receiver = new Program<ReceiverOperations>('receiver');
  const [url] = (await receiver.ask('listen', { urls: 1 })) as [string];
  const rates = new Map<number, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (let number = 1; number <= most; number++) {
      log(`deliveries by ${number} nodes`);
      const database = await newDatabase(cluster);
      await onStore(cluster, database, (store) => queueDeliveries(store, url, deliveries));
      await receiver.ask('watch', { requests: deliveries, warmUp: Math.floor(deliveries / 3) });
      const running = await startNodes(cluster, database, number);
      const { requests, seconds } = await receiver.ask('measured');
      await Promise.all(running.map((server) => server[Symbol.asyncDispose]()));
      const [left] = await cluster.query<{ open: string }>(
        `SELECT (SELECT count(*) FROM open_deliveries)
           + (SELECT count(*) FROM deliveries WHERE state <> 1) AS open`,
        [],
        database,
      );
      if (Number(left?.open) > 0) throw new Error(`${left?.open} deliveries did not succeed`);
      rates.set(number, [...(rates.get(number) ?? []), requests / seconds]);
    }
  }
  const one = rates.get(1) as number[];
  return [...rates].map(([number, values]) => ({
    label: number === 1 ? '1 node delivers' : `${number} nodes deliver / 1 node`,
    result: { kind: 'ratio', ...spread(values.map((value, i) => value / (one[i] as number))) },
    ours: perSecond(median(values)),
    against: perSecond(median(one)),
    notes: `a backlog of ${count(deliveries)}, 4 destinations`,
    figures: { deliveriesPerSecond: median(values) },
  }));
}

async function queueDeliveries(store: PostgresStore, url: string, deliveries: number) {
  const endpoints: Endpoint[] = [];
  for (let i = 0; i < 4; i++) endpoints.push(await makeEndpoint(store, url));
  for (let done = 0; done < deliveries; done += 500) {
    const now = store.clock.now();
    await store.events.appendBatch(
      Array.from({ length: Math.min(500, deliveries - done) }, (_, i) => ({
        id: newId('evt', now),
        publicToken: endpoints[i % 4]?.publicToken as string,
        method: 'POST',
        path: '',
        query: '',
        rawHeaders: ['content-type', 'application/json'],
        body: new BorrowedBody(Buffer.alloc(1024, 'x')),
        contentType: 'application/json',
        sourceIp: '127.0.0.1',
        receivedAt: now,
        provider: null,
        eventType: null,
      })),
      CAPTURE_NOTHING,
    );
  }
}

/** Claims as much as a node does and gives it back each time, with a short and a long queue. */
async function claiming(cluster: PostgresCluster, { sizes, log }: Context): Promise<Row> {
  const { longQueue, shortQueue, claims } = sizes.nodes;
  const timesAt = async (pending: number) => {
    log(`claims at ${count(pending)} pending`);
    const database = await newDatabase(cluster);
    return onStore(cluster, database, async (store) => {
      const { key } = await makeEndpoint(store, null);
      await cluster.query(
        `INSERT INTO destinations (id, endpoint_key, url, created_at, timed_out)
         SELECT 'dst_' || k, ${key}, 'https://example.com', 0, false
         FROM generate_series(1, ${QUEUE_DESTINATIONS}) k`,
        [],
        database,
      );
      await cluster.query(
        `INSERT INTO events SELECT ${key}, s, 'evt_' || s, 0, 1, 'POST', '', NULL, 0, NULL, NULL,
           '192.0.2.1', s FROM generate_series(1, ${pending}) s`,
        [],
        database,
      );
      await cluster.query(
        `INSERT INTO open_deliveries
         SELECT (SELECT min(key) FROM destinations) + s % ${QUEUE_DESTINATIONS}, s, 1,
           ${key}, 'dlv_' || s, 0, 0, 0, s, 0, 0 FROM generate_series(1, ${pending}) s`,
        [],
        database,
      );
      await cluster.query('VACUUM ANALYZE', [], database);
      const times: number[] = [];
      for (let i = 0; i < claims; i++) {
        const now = store.clock.now();
        const started = performance.now();
        const claimed = await store.queue.claimDue(now, {
          leaseUntil: now + 60_000,
          limit: CLAIM_SIZE,
          perDestination: CLAIM_SIZE,
          skip: new Set(),
        });
        await store.queue.nextDueAt(now, new Set());
        times.push(performance.now() - started);
        if (claimed.length === 0) throw new Error('nothing was claimed');
        await store.queue.release(claimed);
      }
      return times;
    });
  };
  const short = await timesAt(shortQueue);
  const long = await timesAt(longQueue);
  const ratio = median(long) / median(short);
  return {
    label: `a claim at ${count(longQueue)} pending / at ${count(shortQueue)}`,
    result: { kind: 'ratio', median: ratio, min: ratio, max: ratio },
    target: { atMost: 3 },
    ours: ms(median(long)),
    against: ms(median(short)),
    notes: `${CLAIM_SIZE} of ${QUEUE_DESTINATIONS} destinations`,
    figures: { longMs: median(long), shortMs: median(short) },
  };
}
