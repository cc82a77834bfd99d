import { HookrelayError } from '../../core/errors.ts';
import type { UnjudgedReason } from '../../core/judging/unjudged.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { Verdict } from '../../core/rules/verdict.ts';
import { JobThread } from '../../core/threads/job-thread.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import type { KeyRequest } from '../../providers/fetched-keys/fetched-key.ts';
import type { JudgedRequest, OpenedSettings, RequestKeys } from './endpoint-judge.ts';
import type { FailedVerdict } from './finer-verdict.ts';

/** Deadline of one request, ms. 25 MiB of JSON take about 300 ms. */
const DEADLINE_MS = 5000;
const IDLE_MS = 60_000;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
const WORKER_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

export interface JudgeJob {
  opened: OpenedSettings;
  request: JudgedRequest;
  /** Only the sender is verified. */
  isWithoutRules: boolean;
  /** The result of verifying the sender, if it is known already. */
  verification?: Verification | null | undefined;
  /** Set for a request that failed. The job then only looks for the reason. */
  failed?: FailedVerdict;
}

/** What a job reports: first before it parses the body, then before it runs the filters. */
export interface VerifiedJob {
  verification: Verification | null;
  /** Set in the second report. */
  keys?: RequestKeys;
}

export interface JudgedJob {
  verdict: Verdict;
  /** Why its body wasn't judged; null if it was. */
  problem: string | null;
  /** The key that must be fetched; the verdict then has no rules. Null if no key is missing. */
  missingKey: KeyRequest | null;
}

/** Makes a thread that judges requests that would take too long on a receiving thread. */
export function judgeThread(cpu: CpuUse): JobThread<JudgeJob, JudgedJob, VerifiedJob> {
  return new JobThread({
    worker: 'judge-worker',
    resourceLimits: WORKER_LIMITS,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    // Requests wait for their turn elsewhere, within the memory budget of captures.
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
