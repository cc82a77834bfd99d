import type { CpuUse } from '../core/cpu-use.ts';
import { HookrelayError } from '../core/errors.ts';
import type { UnjudgedReason } from '../core/judging/unjudged.ts';
import type { Verdict } from '../core/rules/verdict.ts';
import { JobThread } from '../core/threads/job-thread.ts';
import type { KeyRequest } from '../providers/fetched-keys/fetched-key.ts';
import type { JudgedRequest, OpenedSettings } from './endpoint-judge.ts';
import type { FailedVerdict } from './reasons/finer-verdict.ts';

/** Deadline of one request, ms. 25 MiB of JSON take about 300 ms. */
const DEADLINE_MS = 5000;
const IDLE_MS = 60_000;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

export interface JudgeJob {
  opened: OpenedSettings;
  request: JudgedRequest;
  /** Only its sender is verified, and what can be judged without parsing its body. */
  isWithoutRules: boolean;
  /** Why that is all. */
  reason?: UnjudgedReason;
  /** Set for a request that failed: only the reason is looked for. */
  failed?: FailedVerdict;
}

export interface JudgedJob {
  verdict: Verdict;
  /** Why its body wasn't judged; null where it was. */
  problem: string | null;
  /** The key that the verdict lacks; null where it lacks none. */
  missingKey: KeyRequest | null;
}

/** The thread that judges what takes too long on a receiving thread. */
export function judgeThread(cpu: CpuUse): JobThread<JudgeJob, JudgedJob> {
  return new JobThread({
    worker: 'judge-worker',
    resourceLimits: WORKER_LIMITS,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    // Requests wait for their turn, within the memory budget of captures. One has it.
    mostWaiting: 1,
    cpu,
    overloaded: () => new HookrelayError('overloaded', 'too many requests are being judged'),
    tooLong: () => new Error('the body takes too long to judge'),
    gaveOut: (cause) => new Error('the thread that judges bodies failed', { cause }),
  });
}

/** Why the thread couldn't judge a body. */
export function reasonOf(failure: unknown): UnjudgedReason {
  const cause = failure instanceof Error ? failure.cause : null;
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === OUT_OF_MEMORY;
  return isMemory ? 'too_large' : 'too_slow';
}
