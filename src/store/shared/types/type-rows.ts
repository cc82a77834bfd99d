import { Columns, type RowOf } from '../columns.ts';

/** A `StoredType`. */
export const EVENT_TYPE = new Columns({
  key: 'bigint',
  version: 'integer',
  endpointKey: 'bigint',
  type: 'text',
  provider: 'text?',
  count: 'bigint',
  firstAt: 'bigint',
  lastAt: 'bigint',
  shape: 'bytea?',
});
/** A `LearnedType`. */
export const LEARNED_TYPE = EVENT_TYPE.without('shape');
/** The columns of a new type. The store assigns the key and the version. */
export const NEW_TYPE = EVENT_TYPE.without('key', 'version');
/** The columns that a save changes. */
export const CHANGED_TYPE = NEW_TYPE.without('endpointKey', 'type');

/** The cursor of the learner, in `cursors`. */
export const TYPES_CURSOR = 'types';

export type NewType = RowOf<typeof NEW_TYPE>;

/**
 * Returns the name in the form of its column. PostgreSQL's text can't hold NUL. SQLite stores the
 * same form, because otherwise two names of an endpoint could become equal when the data moves.
 */
export function storedName(type: string): string {
  return type.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Returns the row with its stored name. */
export function named<T extends { type: string }>(row: T): T {
  return { ...row, type: storedName(row.type) };
}

/** Returns the new types. Of several with the same stored name, it keeps the first. */
export function distinctTypes(added: readonly NewType[]): NewType[] {
  const seen = new Map<string, NewType>();
  for (const type of added) {
    const name = JSON.stringify([type.endpointKey, storedName(type.type)]);
    if (!seen.has(name)) seen.set(name, type);
  }
  return [...seen.values()];
}
