import { statSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { JOURNAL_SIZE_LIMIT_BYTES } from './database.ts';

/** A log that was long would soon be so again. */
const NEEDED_FOR_MS = 60_000;
/** For a commit that moves the rest of the log, and the next one, which begins it anew. */
const LONGEST_PAUSE_MS = 200;
/** Nobody may be writing, or another program be reading. */
const PAUSE_EVERY_MS = 1000;
const LOOK_EVERY_MS = 5;

/**
 * Keeps long reads from letting the write-ahead log grow. SQLite moves it into
 * the database only as far as every reader's snapshot, and begins it anew only
 * where there is none. Under full load a search of twenty seconds made a
 * gigabyte of it, and the commit after it took more than a second.
 *
 * So while the log is long, reads take a new snapshot for each of their steps,
 * and now and then all of them wait a moment without one.
 */
export class WalThrottle {
  readonly #logFile: string;
  #neededUntil = 0;
  #pause: Promise<void> | null = null;
  #pausedAt = 0;

  /** @param file the database's */
  constructor(file: string) {
    this.#logFile = `${file}-wal`;
  }

  /** Whether a read is to let go of its snapshot before its next step. */
  isNeeded(): boolean {
    const now = performance.now();
    if (this.#isLogLong()) this.#neededUntil = now + NEEDED_FOR_MS;
    return now < this.#neededUntil;
  }

  /** Resolves when a read that has let go may take another snapshot. */
  made(): Promise<void> {
    const isDue = performance.now() - this.#pausedAt > PAUSE_EVERY_MS;
    if (!this.#pause && isDue && this.#isLogLong()) this.#pause = this.#wait();
    return this.#pause ?? setImmediate();
  }

  async #wait(): Promise<void> {
    // Meanwhile the others come to the end of their steps.
    await setImmediate();
    const end = performance.now() + LONGEST_PAUSE_MS;
    try {
      while (this.#isLogLong() && performance.now() < end) await sleep(LOOK_EVERY_MS);
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
