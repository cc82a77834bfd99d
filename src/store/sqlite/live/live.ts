import type { Database } from 'better-sqlite3';
import type { LivePosition } from '../../contract/live.ts';
import { readGeneration } from '../files/generation.ts';
import type { Writes } from '../reader-thread/reads.ts';
import { lastSequences } from './live-query.ts';

export class SqliteLive implements Writes<'live'> {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async includes(history: string, { eventSeq, attemptSeq }: LivePosition): Promise<boolean> {
    const last = lastSequences(this.#db);
    return (
      history === readGeneration(this.#db) &&
      eventSeq <= last.eventSeq &&
      attemptSeq <= last.attemptSeq
    );
  }

  async lastSequences(): Promise<LivePosition> {
    return lastSequences(this.#db);
  }
}
