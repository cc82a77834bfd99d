import { beforeAll, describe, expect, test } from 'vitest';
import type { EventFilter } from '../../../src/store/contract/events.ts';
import { FIRSTS } from '../../../src/store/postgres/capture/first-events.ts';
import { GUESSED } from '../../../src/store/postgres/endpoints/guesses.ts';
import {
  countQuery,
  pageQuery,
  upwardsQuery,
} from '../../../src/store/postgres/events/event-query.ts';
import { NEWEST_CONTENTS } from '../../../src/store/postgres/events/newest-events.ts';
import { CONTENTS } from '../../../src/store/postgres/judging/contents.ts';
import { CHOSEN, NEWEST, SIZES } from '../../../src/store/postgres/judging/judged-events.ts';
import { CLAIM, ENDS } from '../../../src/store/postgres/queue/due-deliveries.ts';
import { LANES } from '../../../src/store/postgres/queue/due-lanes.ts';
import { SWEEP } from '../../../src/store/postgres/queue/lane-sweeps.ts';
import { FREE_NEXT, OPEN_ORDERS } from '../../../src/store/postgres/queue/order-turns.ts';
import { NEXT_DUE } from '../../../src/store/postgres/queue/queue.ts';
import { EXCESS, TIMES } from '../../../src/store/postgres/rejected/rejected-requests.ts';
import { REPLACED } from '../../../src/store/postgres/replays/event-replays.ts';
import { JOB_PAGE, ONE_JOB } from '../../../src/store/postgres/replays/job-rows.ts';
import { OPEN_OF_JOB } from '../../../src/store/postgres/replays/replay-jobs.ts';
import { eventsHolding, everyEvent } from '../../../src/store/postgres/search/candidates.ts';
import { RETIRED_REJECTED } from '../../../src/store/postgres/upkeep/rejected-deletion.ts';
import { EXPIRED } from '../../../src/store/postgres/upkeep/upkeep.ts';
import { type Search, searchesOf } from '../../../src/store/shared/search/searches.ts';
import { makeMigratedDatabase, type TestDatabase } from '../../fixtures/postgres-database.ts';
import { planIn } from './query-plan.ts';
import { openNode } from './temp-store.ts';

/*
 * PostgreSQL's plans for statements that must not get slower as the tables grow. EXPLAIN
 * runs on tables of a size where the right plan is obvious.
 */

const EVENTS = 20_000;
const PENDING = 100_000;
/** Key of a destination of which as many wait behind one order key. */
const ORDERED = 21;
/** Of each endpoint. */
const REJECTED = 1000;

let database: TestDatabase;

beforeAll(async () => {
  database = await makeMigratedDatabase();
  await (await openNode(database.url)).close();
  await database.query(`
    INSERT INTO users VALUES ('usr_1', 'a@example.com', 'x', 'free', 0);
    INSERT INTO endpoints (key, id, user_id, public_token, created_at, settings)
    SELECT k, 'ep_' || k, 'usr_1', 'token' || k, 0, '{"name":"e"}' FROM generate_series(1, 4) k;
    INSERT INTO destinations (key, id, endpoint_key, url, created_at)
    SELECT k, 'dst_' || k, 1 + k % 4, 'https://example.com', 0 FROM generate_series(1, 20) k;
    INSERT INTO event_contents
    SELECT s, 1 + s % 4, '', '[]', convert_to('{"order":"' || md5(s::text) || '"}', 'UTF8')
    FROM generate_series(1, ${EVENTS}) s;
    INSERT INTO events SELECT 1 + s % 4, s, 'evt_' || s, s % 2, 1, 'POST', '', NULL, 44, NULL, NULL,
      '192.0.2.1', 1000000 + s FROM generate_series(1, ${EVENTS}) s;
    INSERT INTO event_texts SELECT 1 + s % 4, s, '{"order":"' || md5(s::text) || '"}'
    FROM generate_series(1, ${EVENTS}) s;
    UPDATE meta SET value = '${EVENTS}' WHERE name = 'search_watermark';
    INSERT INTO failed_events SELECT 1 + s % 4, 2 + s % 2, s
    FROM generate_series(1, ${EVENTS}, 50) s;
    INSERT INTO open_deliveries SELECT 1 + s % 20, 1 + s % ${EVENTS}, 1 + s / ${EVENTS}, 1 + s % 4,
      'dlv_' || s, 0, 0, 0, 1000000 + s, 0, 0 FROM generate_series(1, ${PENDING}) s;
    INSERT INTO replay_jobs (key, id, user_id, endpoint_key, filter, upper_seq, created_at, turn,
      state, after_seq, matching)
    SELECT k, 'job_' || k, 'usr_1', 1 + k % 4, '{}', 0, 0, 0, 1, 0, 0 FROM generate_series(1, 2000) k;
    INSERT INTO replay_counts SELECT k, s, 0, 5
    FROM generate_series(1, 2000) k, generate_series(0, 3) s;
    INSERT INTO deliveries (endpoint_key, event_seq, round, destination_key, id, trigger, state,
      attempts, probes)
    SELECT 1 + s % 4, s, r, 1 + s % 4, 'dlv_' || s || '_' || r, 0, 1, 1, 0
    FROM generate_series(1, ${EVENTS}) s, generate_series(1, 2) r;
    UPDATE open_deliveries SET job_key = 1 WHERE event_seq % 50 = 0;
    INSERT INTO destinations (key, id, endpoint_key, url, created_at)
    VALUES (${ORDERED}, 'dst_ordered', 1, 'https://example.com', 0);
    INSERT INTO open_deliveries (destination_key, event_seq, round, endpoint_key, id, trigger,
      attempts, probes, next_attempt_at, lease_until, token, order_key, turn, behind)
    SELECT ${ORDERED}, s, 1, 1, 'dlv_ordered_' || s, 0, 0, 0, 1000000 + s, 0, 0, '*', s, s > 1
    FROM generate_series(1, ${PENDING}) s;
    UPDATE events SET verification = CASE WHEN seq % 1000 < 4 THEN 3 ELSE 1 END,
      duplicate_of = CASE WHEN seq % 1000 < 4 THEN 'evt_1' END;
    INSERT INTO first_events SELECT endpoint_key, 'key_' || seq, seq, id, 'hash' FROM events;
    INSERT INTO rejected_requests (id, endpoint_key, method, path, query, headers, source_ip,
      received_at, proof, size, body)
    SELECT 'rej_' || s, 1 + s % 4, 'POST', '', '', '[]', '192.0.2.1', 1000000 + s, '[]', 2000,
      convert_to(repeat('x', 2000), 'UTF8')
    FROM generate_series(1, ${4 * REJECTED}) s;
    ANALYZE`);
  await database.query('VACUUM');
  return () => database.drop();
});

const planOf = (sql: string, values: unknown[], counted?: string) =>
  planIn(database, sql, values, counted);

const isSeqScanOfEvents = (read: string) => read.startsWith('Seq Scan event');

const DOWN = { after: 0, upTo: Number.MAX_SAFE_INTEGER, isUpwards: false };

describe('searches', () => {
  const needle = 'c4ca4238a0b923820dcc509a6f75849b'; // md5 of 1
  const holding = (filter: EventFilter, keys: number[]) => {
    const [search] = searchesOf(filter) as [Search];
    const texts = [
      ...(search.q === undefined ? [] : [[search.q]]),
      ...(search.content?.sieve ?? []),
    ];
    const { sql, values } = eventsHolding(keys, search, texts, DOWN);
    return planOf(sql, values);
  };

  test.each<[string, EventFilter]>([
    ['a text', { q: needle.slice(0, 16) }],
    ['a rule with a text', { where: `body.order=${needle}` }],
    [
      'a rule with one of two texts',
      { where: `body.order^=${needle.slice(0, 16)} or body.order=a${needle.slice(0, 15)}` },
    ],
    ['a rule with a text, and another text', { where: `body.order=${needle}`, q: 'order' }],
  ])('%s in few events is found in the trigram index', async (_, filter) => {
    for (const keys of [[2], [1, 2, 3]]) {
      const { reads } = await holding(filter, keys);
      expect(reads).toContain('Bitmap Index Scan event_texts_trigrams');
      expect(reads.filter(isSeqScanOfEvents)).toEqual([]);
    }
  });

  test('a text of one character is searched only in the endpoint’s texts', async () => {
    const { reads } = await holding({ q: '~' }, [2]);
    expect(reads.some((read) => /event_texts_pkey/.test(read))).toBe(true);
  });

  test.each<[string, EventFilter]>([
    ['without a text', { where: 'size>0' }],
    ['of a status', { where: 'size>0', status: 'failed' }],
    ['of a time', { where: 'size>0', from: 1_000_000, to: 1_000_500 }],
  ])('a rule %s reads only the endpoint’s events', async (_, filter) => {
    const window = { ...DOWN, after: 100, upTo: 1000 };
    for (const [keys, walk] of [
      [[2], DOWN],
      [[1, 2, 3], window],
    ] as const) {
      const { sql, values } = everyEvent(keys, searchesOf(filter)[0] as Search, walk);
      const { reads } = await planOf(sql, values);
      expect(reads.filter(isSeqScanOfEvents)).toEqual([]);
      expect(reads.some((read) => / (events_(pkey|by_time)|failed_events_pkey)/.test(read))).toBe(
        true,
      );
    }
  });

  test.each([
    ['contents', CONTENTS, [[1, 5, 9, 13]]],
    ['sizes', SIZES, [[1, 5, 9, 13]]],
    ['the newest events', NEWEST, [2, 100]],
    ['chosen events', CHOSEN, [2, ['evt_1', 'evt_5', 'evt_none']]],
  ])('%s are read by their keys', async (_, sql, values) => {
    const { reads } = await planOf(sql, values);
    expect(reads.filter(isSeqScanOfEvents)).toEqual([]);
    expect(reads.some((read) => /Index (Only )?Scan events_/.test(read))).toBe(true);
  });
});

describe('the queue', () => {
  const now = 1_000_000 + PENDING;

  const keys = Array.from({ length: 20 }, (_, i) => i + 1);
  const since = keys.map((_, i) => now - 10 * i);

  test('each destination is found with one step', async () => {
    for (const [sql, values] of [
      [LANES, [now, keys, since]],
      [NEXT_DUE, [now, keys, since]],
      [SWEEP, []],
    ] as const) {
      const { reads, rows } = await planOf(sql, [...values]);
      expect(reads.filter((read) => read === 'Seq Scan open_deliveries')).toEqual([]);
      expect(reads.some((read) => read.endsWith('open_deliveries_due'))).toBe(true);
      expect(rows).toBeLessThanOrEqual(1);
    }
  });

  test('a claim reads only the rows that it claims', async () => {
    const depths = keys.map(() => 10);
    const { reads, rows } = await planOf(CLAIM, [now, 50, now + 1, keys, since, depths, keys]);
    expect(reads).toContain('Index Scan open_deliveries_due');
    expect(reads).not.toContain('Seq Scan open_deliveries');
    expect(rows).toBeLessThanOrEqual(10);
  });
});

describe('replays', () => {
  test('the replaced deliveries are found by their keys', async () => {
    const { reads, rows } = await planOf(REPLACED, [2, [1, 5], [2, 6], [1, 1]]);
    expect(reads.filter((read) => /Seq Scan (open_)?deliveries/.test(read))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(2);
  });

  test('a page of jobs reads the counts of its jobs', async () => {
    for (const [sql, values] of [
      [JOB_PAGE, [2, 10, 0]],
      [ONE_JOB, [2, 'job_1']],
    ] as const) {
      const { reads, rows } = await planOf(sql, [...values], 'replay_counts');
      expect(reads.filter((read) => read.startsWith('Seq Scan'))).toEqual([]);
      expect(rows).toBeLessThanOrEqual(40);
    }
  });

  test('a job’s open deliveries are cancelled from an event on, without a step over earlier ones', async () => {
    const { reads, rows } = await planOf(OPEN_OF_JOB, [1, EVENTS / 2, 100]);
    expect(reads.some((read) => read.endsWith('open_deliveries_of_jobs'))).toBe(true);
    expect(rows).toBeLessThanOrEqual(100);
  });

  test('a job reads its next events in sequence', async () => {
    const range = { after: EVENTS / 2, upTo: EVENTS };
    for (const filter of [{}, { filteredBy: 'dst_1' }]) {
      const { sql, values } = upwardsQuery(2, filter, range, 50);
      const { reads } = await planOf(sql, values);
      expect(reads.filter(isSeqScanOfEvents)).toEqual([]);
    }
  });
});

describe('an order key with many deliveries', () => {
  test('costs a look as much as one delivery', async () => {
    const now = 1_000_000 + PENDING;
    for (const [sql, values] of [
      [LANES, [now, [ORDERED], [1_000_000]]],
      [NEXT_DUE, [now, [ORDERED], [1_000_000]]],
      [SWEEP, []],
      [CLAIM, [now, 50, now, [ORDERED], [1_000_000], [10], [1]]],
    ] as const) {
      const { reads, rows } = await planOf(sql, [...values]);
      expect(reads).not.toContain('Seq Scan open_deliveries');
      expect(rows).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    ['opening a delivery', OPEN_ORDERS, [[ORDERED], ['*']], 1],
    ['freeing the next one', FREE_NEXT, [[ORDERED], ['*'], [1]], 1],
    ['a probe of the oldest', ENDS.oldest, [ORDERED, 2_000_000], 100],
    ['a probe of the newest', ENDS.newest, [ORDERED, 2_000_000], 100],
    ['ending those that are held too long', EXPIRED, [ORDERED, 2_000_000, 50], 50],
  ])('%s reads few of them', async (_, sql, values, most) => {
    const { reads, rows } = await planOf(sql, values);
    expect(reads).not.toContain('Seq Scan open_deliveries');
    expect(rows).toBeLessThanOrEqual(most);
  });
});

describe('lists', () => {
  const page = { first: 0, last: Number.MAX_SAFE_INTEGER, offset: 0, limit: 50 };

  const withCounts = (keys: number[], count: number) => keys.map((key) => ({ key, count }));

  test.each<[string, EventFilter, string]>([
    ['newest first', {}, 'events_pkey'],
    ['of a frequent status', { status: 'delivered' }, 'events_pkey'],
    ['of a rare status', { status: 'dead_letter' }, 'failed_events_pkey'],
  ])('%s are read in sequence, a page of each endpoint', async (_, filter, index) => {
    for (const keys of [[2], [1, 2, 3]]) {
      const { sql, values } = pageQuery(withCounts(keys, EVENTS), filter, page);
      const { reads, rows } = await planOf(sql, values, 'events');
      expect(reads.some((read) => / Scan /.test(read) && read.endsWith(` ${index}`))).toBe(true);
      expect(reads.filter(isSeqScanOfEvents)).toEqual([]);
      expect(rows).toBeLessThanOrEqual(page.limit);
    }
  });

  test('a list of a status ends when it has as many as there are', async () => {
    await database.query('UPDATE events SET status = 0 WHERE seq = $1', [EVENTS]);
    for (const keys of [[1], [1, 2, 3]]) {
      const { sql, values } = pageQuery(withCounts(keys, 1), { status: 'received' }, page);
      const { rows } = await planOf(sql, values, 'events');
      expect(rows).toBeLessThanOrEqual(1);
    }
  });

  test.each<[string, EventFilter, string]>([
    ['of a rare verification', { verification: 'failed' }, 'events_by_verification'],
    ['of duplicates', { duplicates: 'only' }, 'events_duplicate'],
    ['of a frequent verification', { verification: 'verified' }, 'events_'],
    ['without duplicates', { duplicates: 'hide' }, 'events_pkey'],
  ])('%s are read in sequence', async (_, filter, index) => {
    for (const keys of [[2], [1, 2, 3]]) {
      const { sql, values } = pageQuery(withCounts(keys, EVENTS), filter, page);
      const { reads, rows } = await planOf(sql, values, 'events');
      expect(reads.some((read) => / Scan /.test(read) && read.includes(` ${index}`))).toBe(true);
      expect(reads.filter(isSeqScanOfEvents)).toEqual([]);
      expect(rows).toBeLessThanOrEqual(page.limit);
    }
  });

  test.each<[EventFilter, string]>([
    [{ verification: 'failed' }, 'events_by_verification'],
    [{ duplicates: 'only' }, 'events_duplicate'],
  ])('a count of %o reads the few that there are', async (filter, index) => {
    const { sql, values } = countQuery([2], filter);
    const { reads, rows } = await planOf(sql, values, 'events');
    expect(reads.some((read) => read.endsWith(` ${index}`))).toBe(true);
    expect(rows).toBeLessThanOrEqual(EVENTS / 1000);
  });

  test('what waits is read in sequence, a page of each destination', async () => {
    for (const keys of [[2], [1, 2, 3]]) {
      const { sql, values } = pageQuery(withCounts(keys, PENDING), { waiting: true }, page);
      const { reads, rows } = await planOf(sql, values, 'open_deliveries');
      expect(reads.filter((read) => /Seq Scan (event|open_del)/.test(read))).toEqual([]);
      expect(reads.some((read) => / Scan (Backward )?.*open_deliveries_pkey/.test(read))).toBe(
        true,
      );
      // The deliveries of five rounds of an event, and those of the summaries.
      expect(rows).toBeLessThanOrEqual(page.limit * 10);
    }
  });

  test('a count of a time reads the index', async () => {
    const { sql, values } = countQuery([1, 2], { from: 1_000_000, to: 1_000_500 });
    const { reads } = await planOf(sql, values);
    expect(reads.filter(isSeqScanOfEvents)).toEqual([]);
  });
});

describe('proof of sender', () => {
  test('the first events of keys are found by the keys', async () => {
    const { reads, rows } = await planOf(
      FIRSTS,
      [
        [1, 2],
        ['key_4', 'key_5'],
      ],
      'first_events',
    );
    expect(reads).toContain('Index Scan first_events_pkey');
    expect(rows).toBe(1);
  });

  test.each([
    ['guesses of providers', GUESSED, [[1, 2, 3]], 20],
    ['the newest contents', NEWEST_CONTENTS, [2, EVENTS, 100, 1000], 100],
  ])('%s read the newest events', async (_, sql, values, most) => {
    const { reads, rows } = await planOf(sql, values, 'events');
    expect(reads.filter(isSeqScanOfEvents)).toEqual([]);
    expect(rows).toBeLessThanOrEqual(most);
  });

  test.each([
    ['the times of a second', TIMES, [[2], [1_000_500], [1_001_500]], REJECTED / 4 + 1],
    ['the sum of the sizes', EXCESS, [[2]], REJECTED],
    ['retention', RETIRED_REJECTED, [0, 100, ''], 0],
  ])('%s of rejected requests comes from their index', async (_, sql, values, most) => {
    const text = sql.replace('$3::bigint - p', 'NULL::bigint - p');
    const { reads, rows } = await planOf(text, values, 'rejected_requests');
    expect(reads).not.toContain('Seq Scan rejected_requests');
    expect(rows).toBeLessThanOrEqual(most);
  });
});
