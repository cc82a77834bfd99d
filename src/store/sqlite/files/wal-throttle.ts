import { statSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { JOURNAL_SIZE_LIMIT_BYTES } from './database.ts';

/** How long the throttle stays on after the log was long, ms. The log would soon be long again. */
const NEEDED_FOR_MS = 60_000;
/** The longest pause, ms. One commit moves the rest of the log, and the next resets the log. */
const LONGEST_PAUSE_MS = 200;
/** The shortest time between pauses, ms. They are useless without writes, or while others read. */
const PAUSE_EVERY_MS = 1000;
const POLL_EVERY_MS = 5;

/**
 * Limits how long the write-ahead log gets during long reads. SQLite moves the log into the
 * database only up to the oldest snapshot, and resets the log only while nobody has a snapshot.
 * Under full load, a search of twenty seconds left a log of a gigabyte, and the next commit took
 * more than a second.
 *
 * So while the log is long, a read takes a new snapshot for each step. From time to time all reads
 * pause and have no snapshot.
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

  /** Returns whether a read must end its snapshot before its next step. */
  isNeeded(): boolean {
    const now = performance.now();
    if (this.#isLogLong()) this.#neededUntil = now + NEEDED_FOR_MS;
    return now < this.#neededUntil;
  }

  /** Resolves when a read that has ended its snapshot may take a new one. */
  made(): Promise<void> {
    const isDue = performance.now() - this.#pausedAt > PAUSE_EVERY_MS;
    if (!this.#pause && isDue && this.#isLogLong()) this.#pause = this.#wait();
    return this.#pause ?? setImmediate();
  }

  async #wait(): Promise<void> {
    // Lets the other reads finish their steps.
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
