import { statSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { JOURNAL_SIZE_LIMIT_BYTES } from './database.ts';

/** How long the throttle stays on after the log was long, ms. */
const NEEDED_FOR_MS = 60_000;
/**
 * The longest pause, ms. One commit writes the rest of the log to the database. The next one resets
 * the log.
 */
const LONGEST_PAUSE_MS = 200;
/** The shortest time between pauses, ms. A pause is useless without writes or while others read. */
const PAUSE_EVERY_MS = 1000;
const POLL_EVERY_MS = 5;

/**
 * Limits the length of the write-ahead log during long reads. SQLite checkpoints the log only up to
 * the oldest snapshot, and resets it only while nobody has a snapshot. Under full load, a search of
 * twenty seconds left a log of a gigabyte. The next commit took more than a second.
 *
 * While the log is long, each step of a read takes a new snapshot. From time to time all reads
 * pause without a snapshot.
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
