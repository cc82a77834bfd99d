import { statSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { JOURNAL_SIZE_LIMIT_BYTES } from './database.ts';

/** Time for which the throttle stays on after the log was long, ms: it would soon be long again. */
const NEEDED_FOR_MS = 60_000;
/** Longest pause, ms: one commit moves the rest of the log, and the next one resets the log. */
const LONGEST_PAUSE_MS = 200;
/**
 * Shortest time between two pauses, ms: a pause is useless without writes or while
 * another program reads.
 */
const PAUSE_EVERY_MS = 1000;
const POLL_EVERY_MS = 5;

/**
 * Limits the growth of the write-ahead log during long reads. SQLite moves the log into
 * the database only up to the oldest snapshot of a reader, and resets it only when there
 * is no snapshot. Under full load a search of twenty seconds made the log a gigabyte
 * long, and the commit after it took more than a second.
 *
 * So while the log is long, reads take a new snapshot for each step, and now and then all
 * reads pause for a moment without a snapshot.
 */
export class WalThrottle {
  readonly #logFile: string;
  #neededUntil = 0;
  #pause: Promise<void> | null = null;
  #pausedAt = 0;

  /** @param file the database file */
  constructor(file: string) {
    this.#logFile = `${file}-wal`;
  }

  /** Whether a read must end its snapshot before its next step. */
  isNeeded(): boolean {
    const now = performance.now();
    if (this.#isLogLong()) this.#neededUntil = now + NEEDED_FOR_MS;
    return now < this.#neededUntil;
  }

  /** Resolves when a read that has ended its snapshot may take another. */
  made(): Promise<void> {
    const isDue = performance.now() - this.#pausedAt > PAUSE_EVERY_MS;
    if (!this.#pause && isDue && this.#isLogLong()) this.#pause = this.#wait();
    return this.#pause ?? setImmediate();
  }

  async #wait(): Promise<void> {
    // Meanwhile the other reads finish their steps.
    await setImmediate();
    const end = performance.now() + LONGEST_PAUSE_MS;
    try {
      while (this.#isLogLong() && performance.now() < end) await sleep(POLL_EVERY_MS);
    } finally {
      this.#pause = null;
      this.#pausedAt = performance.now();
    }
  }

  #isLogLong(): boolean {
    const log = statSync(this.#logFile, { throwIfNoEntry: false });
    return log !== undefined && log.size > JOURNAL_SIZE_LIMIT_BYTES;
  }
}
