import { HookrelayError } from '../../core/errors.ts';
import type { UnjudgedReason } from '../../core/judging/unjudged.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { Verdict } from '../../core/rules/verdict.ts';
import { JobThread } from '../../core/threads/job-thread.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import type { KeyRequest } from '../../providers/fetched-keys/fetched-key.ts';
import type { JudgedRequest, OpenedSettings, RequestKeys } from './endpoint-judge.ts';
import type { FailedVerdict } from './finer-verdict.ts';

/** The deadline of one job, ms. 25 MiB of JSON take about 300 ms. */
const DEADLINE_MS = 5000;
const IDLE_MS = 60_000;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

export interface JudgeJob {
  opened: OpenedSettings;
  request: JudgedRequest;
  /** Whether only the sender is verified. */
  isWithoutRules: boolean;
  /** The result of verifying the sender; undefined if the sender isn't verified yet. */
  verification?: Verification | null | undefined;
  /** Set for a failed request. The job then only looks for the reason. */
  failed?: FailedVerdict;
}

/** A job's report. It sends one before it parses the body, and one before it runs the filters. */
export interface VerifiedJob {
  verification: Verification | null;
  /** Set in the second report. */
  keys?: RequestKeys;
}

export interface JudgedJob {
  verdict: Verdict;
  /** Why the body wasn't judged; null if it was. */
  problem: string | null;
  /** The key to fetch, or null. If a key is missing, the verdict has no rules. */
  missingKey: KeyRequest | null;
}

export function judgeThread(cpu: CpuUse): JobThread<JudgeJob, JudgedJob, VerifiedJob> {
  return new JobThread({
    worker: 'judge-worker',
    resourceLimits: WORKER_LIMITS,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    // Requests queue in `JudgingThreads`, within the memory budget of captures.
    mostWaiting: 1,
    cpu,
    overloaded: () => new HookrelayError('overloaded', 'too many requests are being judged'),
    tooLong: () => new Error('the body takes too long to judge'),
    gaveOut: (cause) => new Error('the thread that judges bodies failed', { cause }),
  });
}

/** Returns why the thread couldn't judge a body. */
export function reasonOf(failure: unknown): UnjudgedReason {
  const cause = failure instanceof Error ? failure.cause : null;
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === OUT_OF_MEMORY;
  return isMemory ? 'too_large' : 'too_slow';
}
