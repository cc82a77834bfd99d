import type { Database, Statement } from 'better-sqlite3';
import type { Learned } from '../../contract/types.ts';
import {
  CHANGED_TYPE,
  distinctTypes,
  NEW_TYPE,
  type NewType,
  named,
  storedName,
  TYPES_CURSOR,
} from '../../shared/types/type-rows.ts';

/** Most types of a deleted endpoint that one commit deletes: a shape has at most 64 KiB. */
const PURGED_TYPES = 100;

/** Changes types. All methods run inside the writer's transaction. */
export class SavedTypes {
  readonly #db: Database;
  readonly #cursor: Statement<[], number>;
  readonly #moveCursor: Statement<[number]>;
  readonly #version: Statement<[number], number>;
  readonly #named: Statement<[number, string], number>;
  readonly #count: Statement<[number], number>;
  readonly #isPresent: Statement<[number], number>;
  readonly #insert: Statement<[unknown[]]>;
  readonly #update: Statement<[unknown[], number]>;
  readonly #purge: Statement<[number]>;

  constructor(db: Database) {
    this.#db = db;
    this.#cursor = db
      .prepare<[], number>(`SELECT position FROM cursors WHERE name = '${TYPES_CURSOR}'`)
      .pluck();
    this.#moveCursor = db.prepare(`UPDATE cursors SET position = ? WHERE name = '${TYPES_CURSOR}'`);
    this.#version = db
      .prepare<[number], number>('SELECT version FROM event_types WHERE key = ?')
      .pluck();
    this.#named = db
      .prepare<[number, string], number>(
        'SELECT 1 FROM event_types WHERE endpoint_key = ? AND type = ?',
      )
      .pluck();
    this.#count = db
      .prepare<[number], number>('SELECT count(*) FROM event_types WHERE endpoint_key = ?')
      .pluck();
    this.#isPresent = db
      .prepare<[number], number>('SELECT 1 FROM endpoints WHERE key = ? AND deleted_at IS NULL')
      .pluck();
    this.#insert = db.prepare(
      `INSERT INTO event_types (${NEW_TYPE.names}, version) VALUES (${NEW_TYPE.marks}, 1)`,
    );
    this.#update = db.prepare(`
      UPDATE event_types SET (${CHANGED_TYPE.names}) = (${CHANGED_TYPE.marks}), version = version + 1
      WHERE key = ?`);
    this.#purge = db.prepare(`
      DELETE FROM event_types WHERE key IN (
        SELECT key FROM event_types WHERE endpoint_key = ? LIMIT ${PURGED_TYPES})`);
  }

  cursor(): number {
    return this.#cursor.get() ?? 0;
  }

  /** See `TypeStore.save`. */
  save({ cursor, added, changed }: Learned, mostTypes: number): boolean {
    if (cursor && this.cursor() !== cursor.before) return false;
    if (changed.some(({ key, version }) => this.#version.get(key) !== version)) return false;
    const isNamed = ({ endpointKey, type }: NewType) =>
      this.#named.get(endpointKey, storedName(type)) !== undefined;
    if (added.some(isNamed)) return false;
    for (const type of changed) this.#update.run(CHANGED_TYPE.values(type), type.key);
    for (const [endpointKey, types] of Map.groupBy(
      distinctTypes(added),
      (type) => type.endpointKey,
    )) {
      if (this.#isPresent.get(endpointKey) === undefined) continue;
      const room = mostTypes - (this.#count.get(endpointKey) ?? 0);
      for (const type of types.slice(0, Math.max(0, room))) {
        this.#insert.run(NEW_TYPE.values(named(type)));
      }
    }
    if (cursor) this.#moveCursor.run(cursor.after);
    return true;
  }

  /** See `TypeStore.relearn`. */
  forgetAll(): void {
    this.#db.prepare('DELETE FROM event_types').run();
    this.#moveCursor.run(0);
  }

  /** Deletes types of a deleted endpoint. True if there may be more. */
  purgeSlice(endpointKey: number): boolean {
    return this.#purge.run(endpointKey).changes === PURGED_TYPES;
  }
}
