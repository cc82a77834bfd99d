import type { Database } from 'better-sqlite3';
import type { LivePosition } from '../../contract/live.ts';
import { readGeneration } from '../files/generation.ts';
import type { AttemptNumbers } from '../queue/attempt-numbers.ts';
import type { Writes } from '../reader-thread/reads.ts';
import { lastSequences } from './live-query.ts';

export class SqliteLive implements Writes<'live'> {
  readonly #db: Database;
  readonly #attempts: Pick<AttemptNumbers, 'last'>;

  constructor(db: Database, attempts: Pick<AttemptNumbers, 'last'>) {
    this.#db = db;
    this.#attempts = attempts;
  }

  async includes(history: string, { eventSeq, attemptSeq }: LivePosition): Promise<boolean> {
    const last = await this.lastSequences();
    return (
      history === readGeneration(this.#db) &&
      eventSeq <= last.eventSeq &&
      attemptSeq <= last.attemptSeq
    );
  }

  async lastSequences(): Promise<LivePosition> {
    return { ...lastSequences(this.#db), attemptSeq: this.#attempts.last };
  }
}
