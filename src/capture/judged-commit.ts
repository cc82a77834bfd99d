import { HookrelayError } from '../core/errors.ts';
import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { Verification } from '../core/proof/verification.ts';
import type { JudgingSettings, Verdict } from '../core/rules/verdict.ts';
import type { AppendResult } from '../store/contract/events.ts';

/**
 * How often one request is judged again. Each time, its endpoint's settings have changed
 * between the verdict and the commit.
 */
const MOST_VERDICTS = 10;
const NO_BODY = new BorrowedBody(Buffer.alloc(0));

/** What became of a request: `stale` is not among it. */
export type CommitResult =
  | Exclude<AppendResult, { reason: 'stale' } | { reason: 'signature_invalid' }>
  /** Its source is enforced, and it failed. */
  | { stored: false; reason: 'signature_invalid'; verification: Verification | null };

export interface JudgedCommitOptions {
  commit(request: CapturedRequest): Promise<AppendResult>;
  judge: Judge;
}

/** Judges requests by the settings that it was given last. */
export interface Judge {
  /** Undefined for an endpoint without known settings: its requests need no verdict. */
  verdict(request: CapturedRequest): Verdict | Promise<Verdict> | undefined;
  learn(publicToken: string, settings: JudgingSettings): void;
}

/**
 * Commits a request with its verdict. The commit compares the verdict's version of the
 * endpoint's settings with the present one: a change counts for each request that is
 * stored after the change was answered.
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
    const result = await commit(verdict ? withVerdict(request, verdict) : request);
    if (result.stored) return result;
    if (result.reason === 'signature_invalid') {
      return { ...result, verification: verdict?.verification ?? null };
    }
    if (result.reason !== 'stale') return result;
    judge.learn(request.publicToken, result.judgeBy);
  }
  throw new HookrelayError('overloaded', 'the endpoint’s settings change too fast', {
    hint: 'send the request again',
    retryAfterS: 1,
  });
}

/** The body of a request that isn't kept doesn't cross to the store. */
function withVerdict(request: CapturedRequest, verdict: Verdict): CapturedRequest {
  const isLeft = verdict.refused?.keep === false;
  return isLeft ? { ...request, verdict, body: NO_BODY } : { ...request, verdict };
}
