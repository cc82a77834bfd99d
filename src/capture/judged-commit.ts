import { HookrelayError } from '../core/errors.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { JudgingSettings, Verdict } from '../core/rules/verdict.ts';
import type { AppendResult } from '../store/contract/events.ts';

/**
 * How often one request is judged again. Each time, its endpoint's settings have changed
 * between the verdict and the commit.
 */
const MOST_VERDICTS = 10;

/** What became of a request: `stale` is not among it. */
export type CommitResult = Exclude<AppendResult, { reason: 'stale' }>;

export interface JudgedCommitOptions {
  commit(request: CapturedRequest): Promise<AppendResult>;
  judge: Judge;
}

/** Judges requests by the filters that it was given last. */
export interface Judge {
  /** Undefined for an endpoint without known filters: its requests need no verdict. */
  verdict(request: CapturedRequest): Verdict | Promise<Verdict> | undefined;
  learn(publicToken: string, filters: JudgingSettings): void;
}

/**
 * Commits a request with its verdict. The commit compares the verdict's version of the
 * endpoint's settings with the present one: a changed filter counts for each request
 * that is stored after the change was answered.
 *
 * Throws `overloaded` when the settings change faster than the request is judged.
 */
export async function judgedCommit(
  request: CapturedRequest,
  { commit, judge }: JudgedCommitOptions,
): Promise<CommitResult> {
  for (let verdicts = 0; verdicts < MOST_VERDICTS; verdicts++) {
    const judging = judge.verdict(request);
    const verdict = judging instanceof Promise ? await judging : judging;
    const result = await commit(verdict ? { ...request, verdict } : request);
    if (result.stored || result.reason !== 'stale') return result;
    judge.learn(request.publicToken, result.judgeBy);
  }
  throw new HookrelayError('overloaded', 'the endpoint’s settings change too fast', {
    hint: 'send the request again',
    retryAfterS: 1,
  });
}
