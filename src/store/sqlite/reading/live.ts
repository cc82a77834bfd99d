import type { Database } from 'better-sqlite3';
import type { RuleSource } from '../../../core/rules/rule.ts';
import type { EventLook, LivePosition, LiveStore } from '../../contract/live.ts';
import type { Scope } from '../../contract/scope.ts';
import { lastSequences } from './live-query.ts';
import type { Reader } from './reader.ts';

/** Live streams catch up on the reader's thread: captures don't wait for them. */
export class SqliteLive implements LiveStore {
  readonly #db: Database;
  readonly #reader: Reader;

  constructor(db: Database, reader: Reader) {
    this.#db = db;
    this.#reader = reader;
  }

  async includes(history: string, { eventSeq, attemptSeq }: LivePosition): Promise<boolean> {
    const generation = this.#db
      .prepare<[], string>("SELECT value FROM meta WHERE name = 'generation'")
      .pluck()
      .get();
    const last = lastSequences(this.#db);
    return history === generation && eventSeq <= last.eventSeq && attemptSeq <= last.attemptSeq;
  }

  async lastSequences(): Promise<LivePosition> {
    return lastSequences(this.#db);
  }

  sequencesAt(scope: Scope, time: number): Promise<LivePosition> {
    return this.#reader.sequencesAt(scope, time);
  }

  look(seqs: readonly number[], where: RuleSource | null): Promise<EventLook[]> {
    return this.#reader.look(seqs, where);
  }

  eventsAfter(scope: Scope, seq: number, limit: number): ReturnType<LiveStore['eventsAfter']> {
    return this.#reader.eventsAfter(scope, seq, limit);
  }

  attemptsAfter(scope: Scope, seq: number, limit: number): ReturnType<LiveStore['attemptsAfter']> {
    return this.#reader.attemptsAfter(scope, seq, limit);
  }
}
