import type { Learned } from '../../contract/types.ts';
import {
  CHANGED_TYPE,
  distinctTypes,
  EVENT_TYPE,
  NEW_TYPE,
  type NewType,
  named,
  TYPES_CURSOR,
} from '../../shared/types/type-rows.ts';
import type { Sql } from '../connection/database.ts';
import { passGates } from '../connection/locks.ts';

const VERSION = EVENT_TYPE.only('key', 'version');
const NAME = EVENT_TYPE.only('endpointKey', 'type');
const CHANGE = CHANGED_TYPE.and({ key: 'bigint' });
const PLACED = NEW_TYPE.and({ place: 'integer' });

/** Locks the cursor, so that only one save runs at a time. Returns the position. */
async function lockCursor(sql: Sql): Promise<number> {
  const [cursor] = await sql.rows<{ position: number }>(
    'SELECT position FROM cursors WHERE name = $1 FOR UPDATE',
    [TYPES_CURSOR],
    'lock types cursor',
  );
  return cursor?.position ?? 0;
}

/**
 * See `TypeStore.save`. Checks everything before it changes anything. The cursor's lock excludes
 * other saves, and the locks on types exclude a purge.
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

/**
 * Locks types in the order of their keys. Returns false if one was deleted or has another version.
 */
async function lockTypes(sql: Sql, types: Learned['changed']): Promise<boolean> {
  const locked = await sql.rows(
    `SELECT 1 FROM event_types t
     JOIN ${VERSION.unnest('b')} ON b.key = t.key
     WHERE t.version = b.version ORDER BY t.key FOR UPDATE OF t`,
    VERSION.arrays(types),
    'lock types',
  );
  return locked.length === types.length;
}

async function isAnyNamed(sql: Sql, types: readonly NewType[]): Promise<boolean> {
  const found = await sql.rows(
    `SELECT 1 FROM ${NAME.unnest('n')}
     JOIN event_types t ON t.endpoint_key = n.endpoint_key AND t.type = n.type LIMIT 1`,
    NAME.arrays(types.map(named)),
    'named types',
  );
  return found.length > 0;
}

/** Updates types. The caller has locked them. */
async function change(sql: Sql, types: Learned['changed']): Promise<void> {
  await sql.run(
    `UPDATE event_types t SET (${CHANGED_TYPE.names}) = (${CHANGED_TYPE.of('v')}),
       version = t.version + 1
     FROM ${CHANGE.unnest('v')} WHERE t.key = v.key`,
    CHANGE.arrays(types),
    'change types',
  );
}

/**
 * Adds types while their endpoints have room. It passes the gates, because a type that is added
 * after its endpoint's purge would stay forever.
 */
async function add(sql: Sql, types: readonly NewType[], mostTypes: number): Promise<void> {
  await passGates(sql, [...new Set(types.map(({ endpointKey }) => endpointKey))]);
  await sql.run(
    `INSERT INTO event_types (${NEW_TYPE.names}, version)
     SELECT ${NEW_TYPE.of('n')}, 1
     FROM (
       SELECT v.*, row_number() OVER (PARTITION BY v.endpoint_key ORDER BY v.place) AS nth
       FROM ${PLACED.unnest('v', 2)}) n
     JOIN endpoints p ON p.key = n.endpoint_key AND p.deleted_at IS NULL
     WHERE n.nth + (SELECT count(*) FROM event_types t WHERE t.endpoint_key = n.endpoint_key) <= $1
     ORDER BY n.endpoint_key, n.nth`,
    [mostTypes, ...PLACED.arrays(types.map((type, place) => named({ ...type, place })))],
    'add types',
  );
}

/** See `TypeStore.relearn`. */
export async function relearn(sql: Sql): Promise<void> {
  await lockCursor(sql);
  await sql.run('DELETE FROM event_types');
  await sql.run('UPDATE cursors SET position = 0 WHERE name = $1', [TYPES_CURSOR]);
}
