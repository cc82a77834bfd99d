import { HookrelayError } from '../../core/errors.ts';
import { JobThread } from '../../core/threads/job-thread.ts';
import type { CpuCharges } from '../../core/turns/cpu-use.ts';
import type {
  AcceptRequest,
  ForgetRequest,
  MergedType,
  MergeRequest,
  NeededRequest,
  ReadAnswer,
  ReadRequest,
} from './learning-work.ts';

/** Deadline of one request, ms. A slice of 200 events takes about 20 ms. */
const DEADLINE_MS = 5000;
const IDLE_MS = 60_000;
/** A shape takes at most a few MB in memory, and a slice has at most 200. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };
/** The learner, the round that forgets and a few people ask it. */
const MOST_WAITING = 100;

export type LearningRequest =
  | ReadRequest
  | MergeRequest
  | AcceptRequest
  | NeededRequest
  | ForgetRequest;
export type LearningAnswer =
  | ReadAnswer
  | MergedType[]
  | Uint8Array
  | number[][]
  | (Uint8Array | null)[];

/** The thread can't learn these events: their bodies are too much for it, or it has a fault. */
export class NotLearned extends Error {}

/**
 * The requests of the learner's thread. `read` and `merge` reject with `NotLearned`, all with
 * `not_ready` when the server stops.
 */
export class LearningThread {
  readonly #thread: JobThread<LearningRequest, LearningAnswer>;
  /** The accounts whose events the slice has, with their shares of its bytes. */
  #shares: ReadonlyMap<string, number> = new Map();

  /** @param cpu charges the accounts whose events are learned */
  constructor(cpu?: CpuCharges) {
    this.#thread = new JobThread({
      worker: 'learning-worker',
      resourceLimits: WORKER_LIMITS,
      deadlineMs: DEADLINE_MS,
      idleMs: IDLE_MS,
      mostWaiting: MOST_WAITING,
      cpu,
      overloaded: () => new HookrelayError('overloaded', 'too many types are being learned'),
      tooLong: () => new Error('the payloads take too long to learn'),
      gaveOut: (cause) => new Error('the thread that learns types failed', { cause }),
    });
  }

  read(request: Omit<ReadRequest, 'job'>): Promise<ReadAnswer> {
    this.#shares = sharesOf(request.events);
    return this.#learn({ job: 'read', ...request }) as Promise<ReadAnswer>;
  }

  merge(request: Omit<MergeRequest, 'job'>): Promise<MergedType[]> {
    return this.#learn({ job: 'merge', ...request }) as Promise<MergedType[]>;
  }

  accept(request: Omit<AcceptRequest, 'job'>): Promise<Uint8Array> {
    return this.#thread.run({ job: 'accept', ...request }) as Promise<Uint8Array>;
  }

  needed(shapes: readonly Uint8Array[]): Promise<number[][]> {
    return this.#thread.run({ job: 'needed', shapes }) as Promise<number[][]>;
  }

  forget(shapes: readonly Uint8Array[], gone: ReadonlySet<number>): Promise<(Uint8Array | null)[]> {
    return this.#thread.run({ job: 'forget', shapes, gone }) as Promise<(Uint8Array | null)[]>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #learn(request: ReadRequest | MergeRequest): Promise<LearningAnswer> {
    try {
      return await this.#thread.run(request, { account: this.#shares });
    } catch (error) {
      // `overloaded` and `not_ready` say nothing about the events.
      if (error instanceof HookrelayError) throw error;
      throw new NotLearned('the events were not learned from', { cause: error });
    }
  }
}

/** An event counts with its bytes, and with one for itself. */
function sharesOf(events: ReadRequest['events']): Map<string, number> {
  const bytes = new Map<string, number>();
  let all = 0;
  for (const { userId, body } of events) {
    bytes.set(userId, (bytes.get(userId) ?? 0) + body.length + 1);
    all += body.length + 1;
  }
  return new Map([...bytes].map(([account, own]) => [account, own / all]));
}
