import { HookrelayError } from '../../core/errors.ts';
import { type JobTerms, JobThread } from '../../core/threads/job-thread.ts';
import type { CpuCharges } from '../../core/turns/cpu-use.ts';
import type { LEARNING_WORK, ReadRequest } from './learning-work.ts';

/** The largest body with a shape, bytes. Parsing a larger one takes longer than 3 ms. */
export const LARGEST_BODY_BYTES = 256 * 1024;
/** The deadline of a job, ms. A slice of 200 events takes about 20 ms. */
const DEADLINE_MS = 5000;
const IDLE_MS = 60_000;
/** A shape takes at most a few MB of memory, and a slice has up to 200 shapes. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 4 };
/** The jobs that may wait. The learner, the forget round and a few people send them. */
const MOST_WAITING = 100;

type Work = typeof LEARNING_WORK;
type RequestOf<J extends keyof Work> = Parameters<Work[J]>[0];
type AnswerOf<J extends keyof Work> = ReturnType<Work[J]>;

export type LearningJob = { [J in keyof Work]: { job: J; request: RequestOf<J> } }[keyof Work];
export type LearningAnswer = AnswerOf<keyof Work>;

/**
 * The thread failed on some events. They cost too much time or memory, or the thread has a fault.
 */
export class NotLearned extends Error {}

/**
 * The main thread's access to the learner's thread. `read` and `merge` reject with `NotLearned` if
 * the thread fails. All methods reject with `not_ready` when the server stops.
 */
export class LearningThread {
  readonly #thread: JobThread<LearningJob, LearningAnswer>;
  /** Each account's share of the slice's bytes. */
  #shares: ReadonlyMap<string, number> = new Map();

  /** @param cpu charges the accounts for the CPU of their events */
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

  read(request: ReadRequest): Promise<AnswerOf<'read'>> {
    this.#shares = sharesOf(request.events);
    return this.#learn('read', request);
  }

  merge(request: RequestOf<'merge'>): Promise<AnswerOf<'merge'>> {
    return this.#learn('merge', request);
  }

  accept(request: RequestOf<'accept'>): Promise<Uint8Array> {
    return this.#run('accept', request);
  }

  needed(shapes: readonly Uint8Array[]): Promise<number[][]> {
    return this.#run('needed', shapes);
  }

  forget(shapes: readonly Uint8Array[], gone: ReadonlySet<number>): Promise<AnswerOf<'forget'>> {
    return this.#run('forget', { shapes, gone });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #learn<J extends 'read' | 'merge'>(job: J, request: RequestOf<J>): Promise<AnswerOf<J>> {
    try {
      return await this.#run(job, request, { account: this.#shares });
    } catch (error) {
      // These errors (`overloaded`, `not_ready`) don't depend on the events.
      if (error instanceof HookrelayError) throw error;
      throw new NotLearned('the events were not learned from', { cause: error });
    }
  }

  /** The worker answers each job by the function of the same name, so the casts are right. */
  #run<J extends keyof Work>(
    job: J,
    request: RequestOf<J>,
    terms?: JobTerms,
  ): Promise<AnswerOf<J>> {
    return this.#thread.run({ job, request } as LearningJob, terms) as Promise<AnswerOf<J>>;
  }
}

/** Returns each account's share. An event counts as the size of its body plus one byte. */
function sharesOf(events: ReadRequest['events']): Map<string, number> {
  const bytes = new Map<string, number>();
  let all = 0;
  for (const { userId, body } of events) {
    bytes.set(userId, (bytes.get(userId) ?? 0) + body.length + 1);
    all += body.length + 1;
  }
  return new Map([...bytes].map(([account, own]) => [account, own / all]));
}
