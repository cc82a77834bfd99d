import { HookrelayError } from '../../core/errors.ts';
import { type JobTerms, JobThread } from '../../core/threads/job-thread.ts';
import type { CpuCharges } from '../../core/turns/cpu-use.ts';
import type { PayloadTypes, TypesRequest } from './payload-types.ts';

/**
 * Deadline for the types of one payload, ms, counted from when the thread is ready. A payload of 10
 * MB takes about 1 s.
 */
const DEADLINE_MS = 15_000;
/** How many requests may wait for the thread. Each holds a body. Further ones get `overloaded`. */
const MAX_WAITING = 16;
/** How long the thread stays when it is idle, ms. */
const IDLE_MS = 60_000;
/**
 * The thread's memory. It suffices for two bytes per character of the body, and for a shape of
 * 50,000 members.
 */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

export interface TypeGeneratorOptions {
  deadlineMs?: number;
  idleMs?: number;
  cpu?: CpuCharges;
}

/** The server's side of `types-worker.ts`. The memory and CPU time of large payloads stay there. */
export class TypeGenerator {
  readonly #thread: JobThread<TypesRequest, PayloadTypes>;

  /** @param cpu charges the accounts that types are made for */
  constructor({ deadlineMs = DEADLINE_MS, idleMs = IDLE_MS, cpu }: TypeGeneratorOptions = {}) {
    this.#thread = new JobThread({
      worker: 'types-worker',
      resourceLimits: WORKER_LIMITS,
      mostWaiting: MAX_WAITING,
      ...{ deadlineMs, idleMs, cpu, overloaded, tooLong, gaveOut },
    });
  }

  /**
   * Throws `overloaded` if too many requests wait. Throws `ai_unavailable` if the payload takes too
   * much time or memory. Throws the signal's reason if the signal is aborted.
   */
  types(request: TypesRequest, terms: JobTerms = {}): Promise<PayloadTypes> {
    return this.#thread.run(request, terms);
  }

  /** Ends the thread and rejects all jobs. A later request starts a new thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

function overloaded(): HookrelayError {
  return new HookrelayError('overloaded', 'too many schemas are being made', { retryAfterS: 2 });
}

function tooLong(): HookrelayError {
  return new HookrelayError('ai_unavailable', 'the types of this payload take too long to make', {
    hint: 'the payload itself is at GET …/events/{eventId}/raw',
  });
}

function gaveOut(cause: unknown): Error {
  const isMemory = (cause as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isMemory) return new Error('the types worker failed', { cause });
  return new HookrelayError('ai_unavailable', 'the types of this payload take too much memory', {
    hint: 'the payload itself is at GET …/events/{eventId}/raw',
    cause,
  });
}
