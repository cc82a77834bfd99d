import { beforeAll, expect, test } from 'vitest';
import { QUEUED } from '../../../../src/store/postgres/issues/channel-messages.ts';
import {
  EXPECTATIONS,
  EXPECTATIONS_OF,
} from '../../../../src/store/postgres/issues/expectations.ts';
import {
  ATTEMPT_FACTS,
  ATTEMPT_PAGE,
  CONFLICT_FACTS,
  UNCOMPARABLE_FACTS,
  UNJUDGED_FACTS,
} from '../../../../src/store/postgres/issues/facts.ts';
import {
  BY_CAUSES,
  BY_DESTINATIONS,
  CLOSING,
  DROP_RESOLVED,
  IDLE,
  OPEN_OF_KIND,
} from '../../../../src/store/postgres/issues/kept-issues.ts';
import { WAITING_LANES } from '../../../../src/store/postgres/issues/lanes.ts';
import { OUTCOMES_OF } from '../../../../src/store/postgres/issues/outcomes.ts';
import { ISSUE_PAGE, TO_NOTIFY } from '../../../../src/store/postgres/issues/shown-issues.ts';
import { makeMigratedDatabase, type TestDatabase } from '../../../fixtures/postgres-database.ts';
import { planIn } from '../query-plan.ts';
import { openNode } from '../temp-store.ts';

/*
 * PostgreSQL's plans for the statements of issues, which a keeper runs every second. The
 * tables are large, and little in them is open, expected, rejected or in conflict.
 */

const MANY = 20_000;
const PLACES = 5000;

let database: TestDatabase;

beforeAll(async () => {
  database = await makeMigratedDatabase();
  await (await openNode(database.url)).close();
  await database.query(`
    INSERT INTO users VALUES ('usr_1', 'a@example.com', 'x', 'free', 0),
      ('usr_internal', '', '', 'pro', 0);
    INSERT INTO endpoints (key, id, user_id, public_token, created_at, source, settings,
      expected_since)
    SELECT k, 'ep_' || k, 'usr_1', 'token' || k, 0, CASE WHEN k % 100 = 0 THEN '{}' END,
      CASE WHEN k % 100 = 1 THEN '{"name":"e","expect_every":1000}' ELSE '{"name":"e"}' END, 0
    FROM generate_series(1, ${PLACES}) k;
    INSERT INTO destinations (key, id, endpoint_key, url, created_at)
    SELECT k, 'dst_' || k, k, 'https://example.com', 0 FROM generate_series(1, ${PLACES}) k;
    INSERT INTO events (endpoint_key, seq, id, status, round, method, path, size, source_ip,
      received_at, verification, duplicate_conflict, unjudged)
    SELECT CASE WHEN s % 2 = 0 THEN 100 ELSE 1 + s % ${PLACES} END, s, 'evt_' || s, 1, 1, 'POST',
      '', 44, '192.0.2.1', 1000000 + s, CASE WHEN s % 2 = 0 THEN 1 + s % 3 END,
      CASE WHEN s % 1000 = 1 THEN true END, CASE WHEN s % 1000 = 2 THEN 1 END
    FROM generate_series(1, ${MANY}) s;
    INSERT INTO filtered_events (endpoint_key, event_seq, dropped, uncomparable)
    SELECT endpoint_key, seq, '[]', CASE WHEN seq % 1000 = 3 THEN '[1]' END FROM events;
    INSERT INTO rejected_requests (id, endpoint_key, method, path, query, headers, source_ip,
      received_at, proof, size, body)
    SELECT 'rej_' || s, 100 * (1 + s % 50), 'POST', '', '', '[]', '192.0.2.1', 1000000 + s, '[]',
      20, '' FROM generate_series(1, 5000) s;
    INSERT INTO attempts (seq, id, event_seq, endpoint_key, destination_key, delivery_id, trigger,
      number, response_code, response_truncated, duration_ms, attempted_at)
    SELECT s, 'att_' || s, s, e.endpoint_key, e.endpoint_key, 'dlv_' || s, 0, 1,
      CASE WHEN s % 100 = 0 THEN 500 ELSE 200 END, false, 1, 1000000 + s
    FROM generate_series(1, ${MANY}) s JOIN events e ON e.seq = s;
    INSERT INTO deliveries (endpoint_key, event_seq, round, destination_key, id, trigger, state,
      attempts, probes)
    SELECT e.endpoint_key, s, 1, e.endpoint_key, 'dlv_' || s, 0,
      CASE WHEN s % 100 = 0 THEN 2 ELSE 1 END, 1, 0
    FROM generate_series(1, ${MANY}) s JOIN events e ON e.seq = s;
    INSERT INTO open_deliveries (destination_key, event_seq, round, endpoint_key, id, trigger,
      attempts, next_attempt_at, lease_until, token)
    SELECT 1 + s % 20, s, 1, 1 + s % 20, 'open_' || s, 0, 0, 1000000 + s, 0, 0
    FROM generate_series(1, ${MANY}) s;
    INSERT INTO issues (id, user_id, kind, endpoint_key, destination_key, subject, state, version,
      count, first_at, last_at, event_ids, course, successes, tell_at)
    SELECT 'iss_' || s, 'usr_1', s % 6, 1 + s % ${PLACES}, 1 + s % ${PLACES}, 'code' || s,
      CASE WHEN s % 500 = 0 THEN 1 ELSE 4 END, 1, 1, 0, s, '[]', '{}', s % 2,
      CASE WHEN s % 500 = 0 THEN s END
    FROM generate_series(1, ${MANY}) s;
    INSERT INTO channels (key, id, user_id, type, target, endpoint_key, destination_key, created_at)
    SELECT k, 'chn_' || k, 'usr_1', 'webhook', 'x', k, ${PLACES} + k, 0
    FROM generate_series(1, ${PLACES}) k;
    INSERT INTO channel_messages (id, channel_key, content_type, body, created_at)
    SELECT 'msg_' || s, 1 + s % ${PLACES}, 'x', '{}', 0 FROM generate_series(1, ${MANY}) s;
    ANALYZE`);
  await database.query('VACUUM');
  return () => database.drop();
});

/** Statement, values, the table whose rows count, the most of them that it may read. */
test.each<[string, string, unknown[], string, number]>([
  ['the end of a page of attempts', ATTEMPT_PAGE, [9000, MANY, 500], 'attempts', 500],
  ['a page of attempts', ATTEMPT_FACTS, [9000, 9050], 'attempts', 50],
  ['the last attempts', ATTEMPT_FACTS, [MANY - 3, MANY], 'attempts', 3],
  ['a page of conflicts', CONFLICT_FACTS, [9000, MANY, 5], 'events', 5],
  ['a page of unjudged events', UNJUDGED_FACTS, [9000, MANY, 5], 'events', 5],
  ['a page of drops', UNCOMPARABLE_FACTS, [9000, MANY, 5], 'filtered_events', 5],
  ['a page of lanes', WAITING_LANES, [3, 10], 'open_deliveries', 1],
  ['the outcomes at endpoints', OUTCOMES_OF, [50, 3], 'events', 21],
  ['the rejected among them', OUTCOMES_OF, [50, 3], 'rejected_requests', 20],
  ['the expectations of endpoints', EXPECTATIONS, [1000, 20], 'events', 1],
  ['the expectations that are due', EXPECTATIONS_OF, [[2, 1000, 1001]], 'events', 1],
  ['idle destinations', IDLE, [[1, 2, 4000]], 'open_deliveries', 1],
  [
    'causes',
    BY_CAUSES,
    [
      [2, 3],
      [2, 3],
      [1, 2],
      ['code1', 'code2'],
    ],
    'issues',
    1,
  ],
  [
    'the issues of destinations',
    BY_DESTINATIONS,
    [
      [2, 3],
      [0, 1],
    ],
    'issues',
    8,
  ],
  ['issues that may close', CLOSING, [100, 20], 'issues', 20],
  ['open issues of a kind', OPEN_OF_KIND, [2, 100, 10], 'issues', MANY / 500],
  ['issues to notify', TO_NOTIFY, [10_000, 10, ['usr_2']], 'issues', 10],
  ['a page of issues', ISSUE_PAGE, ['usr_1', null, null, null, null, 50, 0], 'issues', 50],
  ['old issues', DROP_RESOLVED, [5000, 100], 'issues', 100],
  ['queued messages', QUEUED, [100], 'channel_messages', 100],
])('%s: no table is read whole', async (_, sql, values, table, most) => {
  const { reads, rows } = await planIn(database, sql, values, table);
  expect(reads.filter((read) => read.startsWith('Seq Scan'))).toEqual([]);
  expect(rows).toBeLessThanOrEqual(most);
});
