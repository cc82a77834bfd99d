import type {
  EventsToLearn,
  Learned,
  LearnedType,
  LearningLimits,
  StoredType,
  TypeRef,
  TypeStore,
} from '../../contract/types.ts';
import { TYPES_CURSOR } from '../../shared/types/type-rows.ts';
import type { Horizons } from '../cluster/tickets.ts';
import type { Database } from '../connection/database.ts';
import { readEventsToLearn } from './events-to-learn.ts';
import { lockCursor, saveTypes } from './saved-types.ts';
import { findType, findTypes, goneEvents, listTypes, typesAfter } from './type-reads.ts';

/**
 * Every node may learn. A save locks the cursor first: of two nodes that learn the same
 * events, the second waits for the first and is then refused. The learner's reads use the
 * connections for long reads, so that no capture waits for them.
 */
export class PostgresTypes implements TypeStore {
  readonly #db: Database;
  readonly #horizons: Horizons;

  constructor(db: Database, horizons: Horizons) {
    this.#db = db;
    this.#horizons = horizons;
  }

  list(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ types: LearnedType[]; total: number }> {
    return this.#db.snapshot((sql) => listTypes(sql, endpointKey, window));
  }

  find(endpointKey: number, type: string): Promise<StoredType | null> {
    return this.#db.one((sql) => findType(sql, endpointKey, type));
  }

  findMany(refs: readonly TypeRef[]): Promise<StoredType[]> {
    return this.#db.snapshot((sql) => findTypes(sql, refs));
  }

  async learnedTo(): Promise<number> {
    const [cursor] = await this.#db.rows<{ position: number }>(
      'SELECT position FROM cursors WHERE name = $1',
      [TYPES_CURSOR],
      'learned to',
    );
    return cursor?.position ?? 0;
  }

  async toLearn(after: number, limits: LearningLimits): Promise<EventsToLearn> {
    const { eventSeq: horizon } = await this.#horizons.get();
    return this.#db.snapshot((sql) => readEventsToLearn(sql, { after, upTo: horizon }, limits));
  }

  save(learned: Learned, mostTypes: number): Promise<boolean> {
    return this.#db.transaction((sql) => saveTypes(sql, learned, mostTypes));
  }

  after(afterKey: number, limit: number): Promise<StoredType[]> {
    return this.#db.snapshot((sql) => typesAfter(sql, afterKey, limit));
  }

  gone(seqs: readonly number[]): Promise<Set<number>> {
    return this.#db.snapshot((sql) => goneEvents(sql, seqs));
  }

  relearn(): Promise<void> {
    return this.#db.transaction(async (sql) => {
      await lockCursor(sql);
      await sql.run('DELETE FROM event_types');
      await sql.run('UPDATE cursors SET position = 0 WHERE name = $1', [TYPES_CURSOR]);
    });
  }
}
