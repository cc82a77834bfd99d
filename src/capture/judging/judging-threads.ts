import { HookrelayError } from '../../core/errors.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { JobThread } from '../../core/threads/job-thread.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import type { JudgedJob, JudgeJob, VerifiedJob } from './judge-thread.ts';
import { SenderTurns } from './sender-turns.ts';

/**
 * The largest body of the `medium` lane, bytes. Larger bodies have their own lane, because judging
 * one takes up to some seconds.
 */
const MOST_BYTES_OF_MEDIUM = 1024 * 1024;

/** Jobs that each lane runs at once. Each account runs at most one of them. */
const SLOTS = { verifying: 1, medium: 2, large: 1 };
type LaneName = keyof typeof SLOTS;

type Thread = Pick<JobThread<JudgeJob, JudgedJob, VerifiedJob>, 'run' | 'close'>;

interface ThreadPool {
  turns: SenderTurns;
  threads: Thread[];
  /**
   * Threads without a job, the last used at the end. The last used is taken first, so that idle
   * threads end.
   */
  free: Thread[];
}

export interface JudgingThreadsOptions {
  /** Makes a thread, which starts at its first job. */
  thread(): Thread;
  /** The CPU time of each account. The account that used least goes first. */
  cpu: CpuUse;
  /** ms */
  monotonic(): number;
}

/**
 * Verifies and judges requests that take too long on the receiving thread. One lane is for
 * signatures of small bodies, one for bodies up to 1 MiB, and one for larger bodies. Short jobs
 * therefore don't wait for long ones. Accounts take turns within each lane.
 */
export class JudgingThreads {
  readonly #lanes: Readonly<Record<LaneName, ThreadPool>>;
  #isClosed = false;

  constructor(options: JudgingThreadsOptions) {
    const lane = (name: LaneName): ThreadPool => {
      const threads = Array.from({ length: SLOTS[name] }, () => options.thread());
      const turns = new SenderTurns({ ...options, slots: SLOTS[name] });
      return { turns, threads, free: [...threads] };
    };
    this.#lanes = { verifying: lane('verifying'), medium: lane('medium'), large: lane('large') };
  }

  /** Whether no thread has work. A job that isn't urgent then delays no other. */
  get isIdle(): boolean {
    return Object.values(this.#lanes).every(({ turns }) => turns.isIdle);
  }

  /** Verifies the sender of a request with a small body. */
  async verify({
    opened,
    request,
  }: Pick<JudgeJob, 'opened' | 'request'>): Promise<Verification | null> {
    const bare = { ...opened.settings, dedupe: null, filters: [] };
    const job = { opened: { ...opened, settings: bare }, request, isWithoutRules: true };
    return (await this.#run('verifying', job)).verdict.verification;
  }

  /**
   * Judges a request.
   *
   * @param onVerified gets the job's reports
   */
  judge(job: JudgeJob, onVerified?: (verified: VerifiedJob) => void): Promise<JudgedJob> {
    const isMedium = job.request.body.length <= MOST_BYTES_OF_MEDIUM;
    return this.#run(isMedium ? 'medium' : 'large', job, onVerified);
  }

  /** Ends the threads. Rejects all jobs, including later ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = Object.values(this.#lanes).flatMap((lane) => lane.threads);
    await Promise.all(threads.map((thread) => thread.close()));
  }

  #run(
    name: LaneName,
    job: JudgeJob,
    onReport?: (verified: VerifiedJob) => void,
  ): Promise<JudgedJob> {
    const { turns, free } = this.#lanes[name];
    const account = job.opened.settings.userId;
    return turns.run(account, job.request.sourceIp, async () => {
      // Running a job would start the thread again.
      if (this.#isClosed) throw new HookrelayError('not_ready', 'the server is shutting down');
      // Each slot has a thread, so one is free.
      const thread = free.pop() as Thread;
      try {
        return await thread.run(withOwnBody(job), { account, onReport });
      } finally {
        free.push(thread);
      }
    });
  }
}

/**
 * Copies a small body out of Node's buffer pool. Otherwise the message to the thread would clone
 * the whole pool.
 */
function withOwnBody(job: JudgeJob): JudgeJob {
  const { request } = job;
  const isOwn = request.body.buffer.byteLength === request.body.byteLength;
  const body = isOwn ? request.body : Buffer.from(new Uint8Array(request.body).buffer);
  return { ...job, request: { ...request, body } };
}
