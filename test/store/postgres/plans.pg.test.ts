import { beforeAll, describe, expect, test } from 'vitest';
import { CANDIDATES } from '../../../src/store/postgres/reading/search.ts';
import { likePattern } from '../../../src/store/postgres/reading/search-text.ts';
import { CLAIM, DUE_LANES, NEXT_DUE } from '../../../src/store/postgres/writing/queue.ts';
import { makeDatabase, type TestDatabase } from '../../fixtures/postgres-database.ts';
import { openNode } from './temp-store.ts';

/*
 * PostgreSQL's plans for statements that must not get slower as the tables grow. EXPLAIN
 * runs on tables of a size where the right plan is obvious.
 */

const EVENTS = 20_000;
const PENDING = 100_000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
  'Actual Rows'?: number;
}

let database: TestDatabase;

beforeAll(async () => {
  database = await makeDatabase();
  await (await openNode(database.url)).close();
  await database.query(`
    INSERT INTO users VALUES ('usr_1', 'a@example.com', 'x', 'free', 0);
    INSERT INTO endpoints (key, id, user_id, name, public_token, is_active, created_at)
    SELECT k, 'ep_' || k, 'usr_1', 'e', 'token' || k, true, 0 FROM generate_series(1, 4) k;
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
    INSERT INTO deliveries SELECT 1 + s % ${EVENTS}, 1 + s / ${EVENTS}, 1 + s % 20, 1 + s % 4,
      'dlv_' || s, 0, 0, 0, 1000000 + s, 0, 0 FROM generate_series(1, ${PENDING}) s;
    ANALYZE`);
  await database.query('VACUUM');
  return () => database.drop();
});

/** Every node of the plan, by its type and what it reads, with its rows. */
async function planOf(sql: string, values: unknown[]): Promise<{ reads: string[]; rows: number }> {
  // With literals EXPLAIN shows the plan for these values.
  const literal = (value: unknown) =>
    Array.isArray(value)
      ? `'{${value.join(',')}}'`
      : Buffer.isBuffer(value)
        ? `'\\x${value.toString('hex')}'`
        : typeof value === 'number'
          ? String(value)
          : `'${String(value).replaceAll("'", "''")}'`;
  const text = sql.replace(/\$(\d+)/g, (_, n) => literal(values[Number(n) - 1]));
  const rows = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (FORMAT JSON, ANALYZE, BUFFERS OFF, COSTS OFF, TIMING OFF) ${text}`,
  );
  const reads: string[] = [];
  let most = 0;
  const walk = (plan: Plan) => {
    reads.push(`${plan['Node Type']} ${plan['Index Name'] ?? plan['Relation Name'] ?? ''}`.trim());
    if (/Scan/.test(plan['Node Type']) && plan['Relation Name'] === 'deliveries') {
      most = Math.max(most, plan['Actual Rows'] ?? 0);
    }
    for (const child of plan.Plans ?? []) walk(child);
  };
  walk((rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
  return { reads, rows: most };
}

describe('searches', () => {
  const needle = 'c4ca4238a0b923820dcc509a6f75849b'; // md5 of 1

  test('a text in few events is found in the trigram index', async () => {
    const sql = `${CANDIDATES}) looked WHERE found OR escaped ORDER BY seq DESC`;
    const q = needle.slice(0, 16);
    const { reads } = await planOf(sql, [2, likePattern(q), Buffer.from(q), EVENTS]);
    expect(reads).toContain('Bitmap Index Scan event_texts_trigrams');
    expect(reads.filter((read) => read.startsWith('Seq Scan event'))).toEqual([]);
  });

  test('a text of one character is searched only in the endpoint’s texts', async () => {
    const sql = `${CANDIDATES}) looked WHERE found OR escaped ORDER BY seq DESC`;
    const { reads } = await planOf(sql, [2, likePattern('~'), Buffer.from('~'), EVENTS]);
    expect(reads.some((read) => /event_texts_pkey/.test(read))).toBe(true);
  });
});

describe('the queue', () => {
  const now = 1_000_000 + PENDING;

  test('each destination is found with one step', async () => {
    for (const [sql, values] of [
      [DUE_LANES, [now, []]],
      [NEXT_DUE, [now, []]],
    ] as const) {
      const { reads, rows } = await planOf(sql, [...values]);
      expect(reads.filter((read) => read === 'Seq Scan deliveries')).toEqual([]);
      expect(reads.some((read) => read.endsWith('deliveries_due'))).toBe(true);
      expect(rows).toBeLessThanOrEqual(1);
    }
  });

  test('a claim reads only the rows that it claims', async () => {
    const keys = Array.from({ length: 20 }, (_, i) => i + 1);
    const { reads, rows } = await planOf(CLAIM, [keys, now, 10, 50, now + 1]);
    expect(reads).toContain('Index Scan deliveries_due');
    expect(reads).not.toContain('Seq Scan deliveries');
    expect(rows).toBeLessThanOrEqual(10);
  });
});

describe('lists', () => {
  test.each([
    ['newest first', '', 'events_pkey'],
    ['of a status', ' AND e.status = 1', 'events_by_status'],
  ])('%s are read in sequence, not sorted', async (_, where, index) => {
    const { reads } = await planOf(
      `SELECT e.* FROM events e WHERE e.endpoint_key = $1 AND e.seq BETWEEN 0 AND 9007199254740991${where}
       ORDER BY e.seq DESC LIMIT 50 OFFSET 0`,
      [2],
    );
    expect(reads).toContain(`Index Scan ${index}`);
    expect(reads).not.toContain('Sort');
  });
});
