import type { Clock, Logger } from '../../../core/runtime.ts';

/**
 * A log longer than this isn't being cut back, bytes: checkpoints cut it to 64
 * MiB, and under the heaviest load without a long read it came to 170. As in doctor.
 */
const LONG_BYTES = 256 * 1024 * 1024;
/** Between two looks, ms. */
const LOOK_EVERY_MS = 1000;

/**
 * Warns of a write-ahead log that grows without bound. SQLite moves it into the
 * database after each commit, but only as far as no reader needs its older
 * pages, and starts it anew only when nobody reads it: one long read, of a copy
 * or another program, lets it take the whole disk. Once for each time it is long.
 */
export class WalWatch {
  readonly #logBytes: () => number;
  readonly #clock: Clock;
  readonly #log: Logger;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isLong = false;

  constructor(logBytes: () => number, clock: Clock, log: Logger) {
    this.#logBytes = logBytes;
    this.#clock = clock;
    this.#log = log;
  }

  /** After each commit: it grows by nothing else. */
  onCommit(): void {
    const now = this.#clock.monotonic();
    if (now - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = now;
    const bytes = this.#logBytes();
    if (bytes > LONG_BYTES === this.#isLong) return;
    this.#isLong = !this.#isLong;
    if (this.#isLong) {
      this.#log.warn('the write-ahead log grows: a long read keeps it from being cut back', {
        bytes,
        hint: 'end what reads the database file for long, such as a copy or another program',
      });
    } else this.#log.info('the write-ahead log is cut back', { bytes });
  }
}
