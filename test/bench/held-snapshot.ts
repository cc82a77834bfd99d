import { setImmediate as breathe } from 'node:timers/promises';
import pg from 'pg';
import { BorrowedBody } from '../../src/core/http/borrowed-body.ts';
import { newId } from '../../src/core/ids.ts';
import type { Endpoint } from '../../src/core/model.ts';
import type { ClaimedDelivery } from '../../src/store/contract/claims.ts';
import type { Settlement } from '../../src/store/contract/queue.ts';
import type { PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { BREAKER } from '../fixtures/breaker.ts';
import { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { count, ms, perSecond } from './harness/figures.ts';
import type { Context, Measurement, Row } from './harness/measurement.ts';
import { median } from './harness/statistics.ts';
import { makeEndpoint, newDatabase, onStore } from './nodes.ts';

const DESTINATIONS = 100;
/** Events captured in one commit, one delivery each. */
const BATCH = 256;
/** Deliveries that such a commit hands over. Looks at the table claim the others. */
const HANDED_OVER = 128;
/** One delivery in as many fails and is retried after `RETRY_MS`. */
const RETRY_EVERY = 20;
const RETRY_MS = 5000;
const LEASE_MS = 60_000;
/** The most that a held snapshot may cost. */
const MOST = 1.2;
/** Share of a run at its start that doesn't count: settled rows have to gather. */
const WARM_UP = 0.25;

interface Run {
  /** Medians of a look: lanes, claim and next due time. */
  lookMs: number;
  deliveriesPerSecond: number;
  settled: number;
}

/**
 * The queue under full load while another transaction holds a snapshot, as a `pg_dump`
 * does: no settled row can be removed meanwhile. Captures, claims, `begin` and settlements
 * follow one another without HTTP, as fast as the database takes them. Compared with the
 * same load without a snapshot.
 */
export const heldSnapshot: Measurement = {
  name: 'snapshot',
  async run(context) {
    const cluster = await PostgresCluster.start({ shared_buffers: '512MB', max_wal_size: '4GB' });
    try {
      return await compare(cluster, context);
    } finally {
      await cluster.destroy();
    }
  },
};

async function compare(cluster: PostgresCluster, { sizes, log }: Context): Promise<Row[]> {
  const { snapshotSeconds } = sizes.nodes;
  const runs = async (isHeld: boolean): Promise<Run> => {
    log(`full load for ${snapshotSeconds} s ${isHeld ? 'under a held snapshot' : 'without one'}`);
    const database = await newDatabase(cluster);
    return onStore(cluster, database, async (store) => {
      const endpoints: Endpoint[] = [];
      for (let i = 0; i < DESTINATIONS; i++) {
        endpoints.push(await makeEndpoint(store, 'https://example.com'));
      }
      if (!isHeld) return load(store, endpoints, snapshotSeconds);
      const holder = new pg.Client({ connectionString: cluster.url(database) });
      await holder.connect();
      try {
        await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
        await holder.query('SELECT count(*) FROM events');
        return await load(store, endpoints, snapshotSeconds);
      } finally {
        await holder.end();
      }
    });
  };
  const without = await runs(false);
  const held = await runs(true);
  const looks = held.lookMs / without.lookMs;
  const rates = held.deliveriesPerSecond / without.deliveriesPerSecond;
  const notes = `${count(held.settled)} settled in ${snapshotSeconds} s, ${DESTINATIONS} destinations`;
  return [
    {
      label: 'a look (lanes, claim, next due) under a held snapshot / without',
      result: { kind: 'ratio', median: looks, min: looks, max: looks },
      target: { atMost: MOST },
      ours: ms(held.lookMs),
      against: ms(without.lookMs),
      notes,
      figures: { heldMs: held.lookMs, withoutMs: without.lookMs, settled: held.settled },
    },
    {
      label: 'deliveries under a held snapshot / without',
      result: { kind: 'ratio', median: rates, min: rates, max: rates },
      target: { atLeast: 1 / MOST },
      ours: perSecond(held.deliveriesPerSecond),
      against: perSecond(without.deliveriesPerSecond),
      notes: 'captured, claimed, begun and settled, without HTTP',
      figures: {
        heldPerSecond: held.deliveriesPerSecond,
        withoutPerSecond: without.deliveriesPerSecond,
      },
    },
  ];
}

export async function load(
  store: PostgresStore,
  endpoints: readonly Endpoint[],
  seconds: number,
): Promise<Run> {
  const looks: number[] = [];
  const startedAt = performance.now();
  const warmAt = startedAt + seconds * 1000 * WARM_UP;
  const endsAt = startedAt + seconds * 1000;
  let settled = 0;
  let settledWarm = 0;
  while (performance.now() < endsAt) {
    const now = store.clock.now();
    const leaseUntil = now + LEASE_MS;
    const { claimed } = await store.events.appendBatch(
      Array.from({ length: BATCH }, (_, i) => capture(endpoints, now, i)),
      { leaseUntil, limit: HANDED_OVER, skip: new Set() },
    );
    const lookedAt = performance.now();
    const found = await store.queue.claimDue(now, {
      leaseUntil,
      limit: BATCH,
      perDestination: BATCH,
      skip: new Set(),
    });
    await store.queue.nextDueAt(now, new Set());
    const isWarm = lookedAt > warmAt;
    if (isWarm) looks.push(performance.now() - lookedAt);
    const claims = [...claimed, ...found];
    await store.queue.begin(claims, leaseUntil, now);
    await store.queue.settle(
      claims.map((claim, i) => settlement(claim, now, i)),
      BREAKER,
    );
    settled += claims.length;
    if (isWarm) settledWarm += claims.length;
    await breathe();
  }
  return {
    lookMs: median(looks),
    deliveriesPerSecond: settledWarm / ((performance.now() - warmAt) / 1000),
    settled,
  };
}

function capture(endpoints: readonly Endpoint[], now: number, i: number) {
  return {
    id: newId('evt', now),
    publicToken: endpoints[i % endpoints.length]?.publicToken as string,
    method: 'POST',
    path: '',
    query: '',
    rawHeaders: ['content-type', 'application/json'],
    body: new BorrowedBody(Buffer.from('{}')),
    contentType: 'application/json',
    sourceIp: '127.0.0.1',
    receivedAt: now,
    provider: null,
    eventType: null,
  };
}

function settlement(claim: ClaimedDelivery, now: number, i: number): Settlement {
  const fails = i % RETRY_EVERY === 0;
  return {
    claim,
    attempt: {
      id: newId('att', now),
      destinationUrl: 'https://example.com',
      responseCode: fails ? 503 : 200,
      responseHeaders: [],
      responseBody: 'ok',
      responseTruncated: false,
      durationMs: 1,
      error: null,
      attemptedAt: now,
      requestHeaders: [],
      ruleVersion: 0,
    },
    timedOut: false,
    reach: 'answered' as const,
    holdMs: null,
    next: fails ? { state: 'pending', nextAttemptAt: now + RETRY_MS } : { state: 'succeeded' },
  };
}
