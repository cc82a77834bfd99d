import type { TypeStore } from '../../contract/types.ts';
import { TYPES_CURSOR } from '../../shared/types/type-rows.ts';
import type { Horizons } from '../cluster/tickets.ts';
import type { Database } from '../connection/database.ts';
import { readEventsToLearn } from './events-to-learn.ts';
import { relearn, saveTypes } from './saved-types.ts';
import { findType, findTypes, goneEvents, listTypes, typesAfter } from './type-reads.ts';

/**
 * Stores event types. All nodes may learn types. A save locks the cursor first. If two nodes learn
 * from the same events, the second waits for the first and is then refused. The learner's reads use
 * the connections for long reads, so no capture waits for them.
 */
export function postgresTypes(db: Database, horizons: Horizons): TypeStore {
  return {
    list: (...args) => db.snapshot((sql) => listTypes(sql, ...args)),
    find: (...args) => db.one((sql) => findType(sql, ...args)),
    findMany: (refs) => db.snapshot((sql) => findTypes(sql, refs)),
    async learnedTo() {
      const [cursor] = await db.rows<{ position: number }>(
        'SELECT position FROM cursors WHERE name = $1',
        [TYPES_CURSOR],
        'learned to',
      );
      return cursor?.position ?? 0;
    },
    async toLearn(after, limits) {
      const { eventSeq: upTo } = await horizons.get();
      return db.snapshot((sql) => readEventsToLearn(sql, { after, upTo }, limits));
    },
    save: (...args) => db.transaction((sql) => saveTypes(sql, ...args)),
    after: (...args) => db.snapshot((sql) => typesAfter(sql, ...args)),
    gone: (seqs) => db.snapshot((sql) => goneEvents(sql, seqs)),
    relearn: () => db.transaction(relearn),
  };
}
