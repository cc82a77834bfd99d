import type { Clock, Logger } from '../../../core/runtime/runtime.ts';

/**
 * Above this size, checkpoints fail to truncate the log, bytes. Without a long read, the log
 * reaches 170 MiB under the heaviest load. `doctor` uses the same size.
 */
const LONG_BYTES = 256 * 1024 * 1024;
/** How often the log is measured, ms. */
const POLL_EVERY_MS = 1000;

/**
 * Warns if the write-ahead log grows without bound. SQLite resets the log only while nobody reads
 * it. So one long read, by a backup or by another program, can fill the disk. Warns once each time
 * the log becomes long.
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

  /** Call it after each commit, because only commits make the log grow. */
  onCommit(): void {
    const now = this.#clock.monotonic();
    if (now - this.#lookedAt < POLL_EVERY_MS) return;
    this.#lookedAt = now;
    const bytes = this.#logBytes();
    if (bytes > LONG_BYTES === this.#isLong) return;
    this.#isLong = !this.#isLong;
    if (this.#isLong) {
      this.#log.warn('the write-ahead log grows: a long read blocks its truncation', {
        bytes,
        hint: 'end the long read of the database file, by a copy or another program',
      });
    } else this.#log.info('the write-ahead log is truncated', { bytes });
  }
}
