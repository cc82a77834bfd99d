import type { Database } from 'better-sqlite3';
import type { StoredType } from '../../contract/types.ts';
import { EVENT_TYPE, storedName } from '../../shared/types/type-rows.ts';
import type { Writer } from '../files/writer.ts';
import type { Writes } from '../reader-thread/reads.ts';
import { forgetTypes, learnedTo, saveTypes } from './saved-types.ts';

export function sqliteTypes(db: Database, writer: Writer): Writes<'types'> {
  const find = db.prepare<[number, string], StoredType>(`
    SELECT ${EVENT_TYPE.read('t')} FROM event_types t
    JOIN endpoints p ON p.key = t.endpoint_key AND p.deleted_at IS NULL
    WHERE t.endpoint_key = ? AND t.type = ?`);
  return {
    find: async (endpointKey, type) => find.get(endpointKey, storedName(type)) ?? null,
    learnedTo: async () => learnedTo(db),
    save: (...args) => writer.write(() => saveTypes(db, ...args)),
    relearn: () => writer.write(() => forgetTypes(db)),
  };
}
