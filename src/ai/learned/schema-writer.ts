import { HookrelayError } from '../../core/errors.ts';
import { JobThread } from '../../core/threads/job-thread.ts';
import type { SchemaFormat } from './declared-types.ts';

/**
 * Deadline of one schema, ms, counted from when the thread is ready. The largest schemas take about
 * 100 ms.
 */
const DEADLINE_MS = 5000;
const IDLE_MS = 60_000;
/** How many requests may wait for the thread. Each holds a shape of at most 64 KiB. */
const MOST_WAITING = 64;
const RETRY_S = 2;
/** A shape takes a few MB of memory, and its schema takes less. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

export interface SchemaRequest {
  provider: string | null;
  /** Null if the events have no type. */
  type: string | null;
  /** The shape, as `storedShape` (`core/shapes`) encodes it. */
  shape: Uint8Array;
  format: SchemaFormat;
}

/** The server's side of `schema-worker.ts`. */
export class SchemaWriter {
  readonly #thread = new JobThread<SchemaRequest, string | null>({
    worker: 'schema-worker',
    resourceLimits: WORKER_LIMITS,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    mostWaiting: MOST_WAITING,
    overloaded: () =>
      new HookrelayError('overloaded', 'too many schemas are being written', {
        retryAfterS: RETRY_S,
      }),
    tooLong: () => new Error('the schema takes too long to write'),
    gaveOut: (cause) => new Error('the thread that writes schemas failed', { cause }),
  });

  /**
   * Writes the schema of a learned type, see `learnedSchema`. Returns null if this version can't
   * read the shape; the learner then learns the type from the beginning. Throws `overloaded`, and
   * the signal's reason.
   */
  write(request: SchemaRequest, signal?: AbortSignal): Promise<string | null> {
    return this.#thread.run(request, { signal });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
