import type { Database } from 'better-sqlite3';
import type { Learned } from '../../contract/types.ts';
import {
  CHANGED_TYPE,
  distinctTypes,
  NEW_TYPE,
  named,
  storedName,
  TYPES_CURSOR,
} from '../../shared/types/type-rows.ts';

/* Reads and changes types. All writes run in the writer's transaction. */

/** The largest number of types that one commit purges. A shape has up to 64 KiB. */
const PURGED_TYPES = 100;

/** See `TypeStore.learnedTo`. */
export function learnedTo(db: Database): number {
  const find = db.prepare<[string], number>('SELECT position FROM cursors WHERE name = ?').pluck();
  return find.get(TYPES_CURSOR) ?? 0;
}

function moveCursor(db: Database, position: number): void {
  db.prepare('UPDATE cursors SET position = ? WHERE name = ?').run(position, TYPES_CURSOR);
}

/** See `TypeStore.save`. */
export function saveTypes(
  db: Database,
  { cursor, added, changed }: Learned,
  mostTypes: number,
): boolean {
  if (cursor && learnedTo(db) !== cursor.before) return false;
  const isCurrent = db.prepare('SELECT 1 FROM event_types WHERE key = ? AND version = ?');
  if (changed.some(({ key, version }) => isCurrent.get(key, version) === undefined)) return false;
  const isNamed = db.prepare('SELECT 1 FROM event_types WHERE endpoint_key = ? AND type = ?');
  const isKnown = ({ endpointKey, type }: Learned['added'][number]) =>
    isNamed.get(endpointKey, storedName(type)) !== undefined;
  if (added.some(isKnown)) return false;
  const update = db.prepare(`
    UPDATE event_types SET (${CHANGED_TYPE.names}) = (${CHANGED_TYPE.marks}), version = version + 1
    WHERE key = ?`);
  for (const type of changed) update.run(CHANGED_TYPE.values(type), type.key);
  add(db, added, mostTypes);
  if (cursor) moveCursor(db, cursor.after);
  return true;
}

function add(db: Database, added: Learned['added'], mostTypes: number): void {
  const isPresent = db.prepare('SELECT 1 FROM endpoints WHERE key = ? AND deleted_at IS NULL');
  const count = db
    .prepare<[number], number>('SELECT count(*) FROM event_types WHERE endpoint_key = ?')
    .pluck();
  const insert = db.prepare(
    `INSERT INTO event_types (${NEW_TYPE.names}, version) VALUES (${NEW_TYPE.marks}, 1)`,
  );
  for (const [endpointKey, types] of Map.groupBy(distinctTypes(added), (one) => one.endpointKey)) {
    if (isPresent.get(endpointKey) === undefined) continue;
    const room = mostTypes - (count.get(endpointKey) ?? 0);
    for (const type of types.slice(0, Math.max(0, room))) {
      insert.run(NEW_TYPE.values(named(type)));
    }
  }
}

/** See `TypeStore.relearn`. */
export function forgetTypes(db: Database): void {
  db.prepare('DELETE FROM event_types').run();
  moveCursor(db, 0);
}

/** Deletes some types of a deleted endpoint. Returns true if more may be left. */
export function purgeTypes(db: Database, endpointKey: number): boolean {
  const purge = db.prepare(`
    DELETE FROM event_types WHERE key IN (
      SELECT key FROM event_types WHERE endpoint_key = ? LIMIT ${PURGED_TYPES})`);
  return purge.run(endpointKey).changes === PURGED_TYPES;
}
