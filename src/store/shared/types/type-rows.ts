import type { LearnedType, StoredType } from '../../contract/types.ts';

/** Columns of `event_types t` for a `LearnedType`. */
export const TYPE_COLUMNS = `t.key, t.version, t.endpoint_key AS "endpointKey", t.type, t.provider,
  t.count, t.first_at AS "firstAt", t.last_at AS "lastAt"`;
/** The same for a `StoredType`. */
export const STORED_TYPE_COLUMNS = `${TYPE_COLUMNS}, t.shape`;

/** The cursor of the learner, in `cursors`. */
export const TYPES_CURSOR = 'types';

export type NewType = Omit<StoredType, keyof Pick<LearnedType, 'key' | 'version'>>;

/**
 * The name as its column holds it. PostgreSQL's text has no NUL, and two names of an
 * endpoint in SQLite must not become one when they move there.
 */
export function storedName(type: string): string {
  return type.replaceAll('\0', '\ufffd').toWellFormed();
}

/** New types, without those whose stored name repeats an earlier one's. */
export function distinctTypes(added: readonly NewType[]): NewType[] {
  const seen = new Map<string, NewType>();
  for (const type of added) {
    const name = JSON.stringify([type.endpointKey, storedName(type.type)]);
    if (!seen.has(name)) seen.set(name, type);
  }
  return [...seen.values()];
}
