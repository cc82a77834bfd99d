import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../../src/core/model.ts';
import type { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { BREAKER } from '../../../fixtures/breaker.ts';
import { until } from '../../../fixtures/until.ts';
import { only } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';

/*
 * Sequence numbers don't follow the order of commits. These tests hold transactions open
 * at the moment that matters: numbers taken, rows not yet visible.
 */

/** A connection that locks a table, which stops others just before they write to it. */
async function holding(url: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
  let held = true;
  const release = async () => {
    if (!held) return;
    held = false;
    await client.query('COMMIT');
    await client.end();
  };
  onTestFinished(release);
  return release;
}

const LEARNING = { most: 10, bytes: 1000, largest: 1000 };

const watchOf = (endpoint: Endpoint) => ({ userIds: [], endpointKeys: [endpoint.key] });

async function waiting(query: (sql: string) => Promise<unknown[]>): Promise<void> {
  await until('a capture waits, its numbers taken', async () => {
    const rows = await query("SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'");
    return rows.length > 0;
  });
}

test('a commit above an open number is not shown before that number', async () => {
  const { database, stores, world } = await openNodes(2);
  const [a, b] = stores as [PostgresStore, PostgresStore];
  const endpoint = await world.endpoint();
  const scope = { endpointKeys: [endpoint.key] };
  const first = await world.event(endpoint);

  // Node A takes the next number and stops before it writes.
  const release = await holding(database.url, 'event_counts');
  const slow = a.events.appendBatch([world.request(endpoint)], world.terms());
  await waiting(database.query);
  // Meanwhile a capture with a later number is committed, past that table.
  const [later] = await database.query<{ seq: number }>("SELECT nextval('event_seqs')::int AS seq");
  const seq = later?.seq as number;
  await database.query(`INSERT INTO event_contents VALUES (${seq}, ${endpoint.key}, '', '[]', '')`);
  await database.query(
    `INSERT INTO events SELECT endpoint_key, ${seq}, 'evt_later', status, round, method, path,
       content_type, size, provider, event_type, source_ip, received_at FROM events LIMIT 1`,
  );

  for (const store of [a, b]) {
    expect((await store.live.lastSequences()).eventSeq).toBe(first.seq);
    const after = await store.live.eventsAfter(scope, 0, 10);
    expect(after.map(({ id }) => id)).toEqual([first.id]);
    const start = { eventSeq: 0, attemptSeq: 0 };
    const fed = await store.cluster.feed.read(start, watchOf(endpoint), 10);
    expect(fed.events.map(({ event }) => event.id)).toEqual([first.id]);
    expect(fed).toMatchObject({ position: { eventSeq: first.seq }, more: 'soon' });
    const learned = await store.types.toLearn(0, LEARNING);
    expect(learned.events.map(({ id }) => id)).toEqual([first.id]);
    expect(learned.scannedTo).toBe(first.seq);
  }
  // Lists and searches aren't reads in sequence: they show every commit.
  expect((await world.listed(endpoint, { method: 'POST' })).map(({ id }) => id)).toContain(
    'evt_later',
  );
  expect((await b.stats(world.now)).indexLag).toBeGreaterThan(0);

  await release();
  const result = only((await slow).results);
  const slowId = result.stored ? result.event.id : '';
  for (const store of [a, b]) {
    const after = await store.live.eventsAfter(scope, first.seq, 10);
    expect(after.map(({ id }) => id)).toEqual([slowId, 'evt_later']);
    const learned = await store.types.toLearn(first.seq, LEARNING);
    expect(learned.events.map(({ id }) => id)).toEqual([slowId, 'evt_later']);
    expect((await store.live.lastSequences()).eventSeq).toBe(seq);
  }
});

test('a capture that is rolled back delays no reader', async () => {
  const { stores, world } = await openNodes(2);
  const endpoint = await world.endpoint();
  const taken = await world.event(endpoint);
  const bad = world.request(endpoint, { id: taken.id });
  await expect(world.store.events.appendBatch([bad], world.terms())).rejects.toThrow();
  const event = await world.event(endpoint);
  for (const { live } of stores) expect((await live.lastSequences()).eventSeq).toBe(event.seq);
});

test('an open transaction without numbers delays no reader', async () => {
  const { database, world } = await openNodes(1);
  const endpoint = await world.endpoint();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN; CREATE TABLE other (); SELECT txid_current()');
  const event = await world.event(endpoint);
  expect((await world.store.live.lastSequences()).eventSeq).toBe(event.seq);
});

test('readers on every node see every number once, in order, while all nodes commit', async () => {
  const { stores, world } = await openNodes(3);
  const endpoint = await world.endpoint();
  await world.destination(endpoint);
  const captured: string[] = [];
  const settled: string[] = [];
  let writing = true;

  const write = async (store: PostgresStore) => {
    for (let i = 0; i < 40; i++) {
      const patches = Array.from({ length: 1 + (i % 3) }, () => world.request(endpoint));
      const { results, claimed } = await store.events.appendBatch(patches, world.terms());
      for (const result of results) if (result.stored) captured.push(result.event.id);
      const made = await store.queue.settle(
        claimed.map((claim) => world.settlement(claim, 'succeeded')),
        BREAKER,
      );
      for (const one of made) if (one) settled.push(one.attempt.id);
    }
  };
  const read = async (store: PostgresStore) => {
    let position = { eventSeq: 0, attemptSeq: 0 };
    const events: { id: string; seq: number }[] = [];
    const attempts: { id: string; seq: number }[] = [];
    for (;;) {
      const last = !writing;
      const items = await store.cluster.feed.read(position, watchOf(endpoint), 7);
      events.push(...items.events.map(({ event }) => event));
      attempts.push(...items.attempts.map(({ attempt }) => attempt));
      position = items.position;
      if (last && items.more === 'no') return { events, attempts };
    }
  };
  const reading = stores.map(read);
  // Two writers on each node: their commits interleave on every connection.
  await Promise.all([...stores, ...stores].map(write));
  writing = false;
  for (const { events, attempts } of await Promise.all(reading)) {
    for (const [seen, all] of [
      [events, captured],
      [attempts, settled],
    ] as const) {
      const seqs = seen.map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.toSorted((x, y) => x - y));
      expect(seen.map(({ id }) => id).toSorted()).toEqual(all.toSorted());
    }
  }
  expect(captured).toHaveLength(6 * 79);
});
