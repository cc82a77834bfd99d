import type { Learned } from '../../contract/types.ts';
import {
  distinctTypes,
  type NewType,
  storedName,
  TYPES_CURSOR,
} from '../../shared/types/type-rows.ts';
import type { Sql } from '../connection/database.ts';
import { passGates } from '../connection/locks.ts';

/** Locks the cursor, so that saves go one after the other, and returns it. */
export async function lockCursor(sql: Sql): Promise<number> {
  const [cursor] = await sql.rows<{ position: number }>(
    'SELECT position FROM cursors WHERE name = $1 FOR UPDATE',
    [TYPES_CURSOR],
    'lock types cursor',
  );
  return cursor?.position ?? 0;
}

/**
 * See `TypeStore.save`. Looks at everything first: with the cursor locked, only a purge
 * changes types meanwhile, and it can't change the locked ones.
 */
export async function saveTypes(
  sql: Sql,
  { cursor, added, changed }: Learned,
  mostTypes: number,
): Promise<boolean> {
  const position = await lockCursor(sql);
  if (cursor && position !== cursor.before) return false;
  if (changed.length > 0 && !(await lockTypes(sql, changed))) return false;
  if (added.length > 0 && (await isAnyNamed(sql, added))) return false;
  if (changed.length > 0) await change(sql, changed);
  if (added.length > 0) await add(sql, distinctTypes(added), mostTypes);
  if (cursor) {
    await sql.run(
      'UPDATE cursors SET position = $2 WHERE name = $1',
      [TYPES_CURSOR, cursor.after],
      'move types cursor',
    );
  }
  return true;
}

/** Locks types by key. False where one has another version, or is gone. */
async function lockTypes(sql: Sql, types: Learned['changed']): Promise<boolean> {
  const locked = await sql.rows(
    `SELECT 1 FROM event_types t
     JOIN unnest($1::bigint[], $2::integer[]) AS b(key, version) ON b.key = t.key
     WHERE t.version = b.version ORDER BY t.key FOR UPDATE OF t`,
    [types.map(({ key }) => key), types.map(({ version }) => version)],
    'lock types',
  );
  return locked.length === types.length;
}

async function isAnyNamed(sql: Sql, types: readonly NewType[]): Promise<boolean> {
  const found = await sql.rows(
    `SELECT 1 FROM unnest($1::bigint[], $2::text[]) AS n(endpoint_key, type)
     JOIN event_types t ON t.endpoint_key = n.endpoint_key AND t.type = n.type LIMIT 1`,
    [types.map(({ endpointKey }) => endpointKey), types.map(({ type }) => storedName(type))],
    'named types',
  );
  return found.length > 0;
}

/** Changes locked types. */
async function change(sql: Sql, types: Learned['changed']): Promise<void> {
  await sql.run(
    `UPDATE event_types t SET provider = v.provider, version = t.version + 1, count = v.count,
       first_at = v.first_at, last_at = v.last_at, shape = v.shape
     FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[])
       AS v(key, provider, count, first_at, last_at, shape)
     WHERE t.key = v.key`,
    [types.map(({ key }) => key), ...columnsOf(types)],
    'change types',
  );
}

/**
 * Adds types as far as their endpoints have room for them. The gates keep the endpoints: a
 * type of an endpoint that is purged would stay for ever.
 */
async function add(sql: Sql, types: readonly NewType[], mostTypes: number): Promise<void> {
  await passGates(sql, [...new Set(types.map(({ endpointKey }) => endpointKey))]);
  await sql.run(
    `INSERT INTO event_types (endpoint_key, type, provider, version, count, first_at, last_at, shape)
     SELECT n.endpoint_key, n.type, n.provider, 1, n.count, n.first_at, n.last_at, n.shape
     FROM (
       SELECT v.*, row_number() OVER (PARTITION BY v.endpoint_key ORDER BY v.place) AS nth
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
         $7::bytea[]) WITH ORDINALITY
         AS v(endpoint_key, type, provider, count, first_at, last_at, shape, place)) n
     JOIN endpoints p ON p.key = n.endpoint_key AND p.deleted_at IS NULL
     WHERE n.nth + (SELECT count(*) FROM event_types t WHERE t.endpoint_key = n.endpoint_key) <= $8
     ORDER BY n.endpoint_key, n.nth`,
    [
      types.map(({ endpointKey }) => endpointKey),
      types.map(({ type }) => storedName(type)),
      ...columnsOf(types),
      mostTypes,
    ],
    'add types',
  );
}

/** Provider, count, first and last sight, and shape. */
function columnsOf(types: readonly Omit<NewType, 'endpointKey' | 'type'>[]): unknown[] {
  return [
    types.map(({ provider }) => provider),
    types.map(({ count }) => count),
    types.map(({ firstAt }) => firstAt),
    types.map(({ lastAt }) => lastAt),
    types.map(({ shape }) => shape && Buffer.from(shape)),
  ];
}
