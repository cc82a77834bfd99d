import { HookrelayError } from '../../core/errors.ts';
import { BorrowedBody } from '../../core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../core/http/captured-request.ts';
import type { HandshakeVerdict } from '../../core/proof/handshake.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { JudgingSettings, Verdict } from '../../core/rules/verdict.ts';
import { MASK } from '../../core/secrets/masked-secret.ts';
import { secretHeaderOf } from '../../providers/handshakes.ts';
import type { AppendResult } from '../../store/contract/events.ts';

/** Most verdicts on one request. Each time, its endpoint's settings changed before the commit. */
const MOST_VERDICTS = 10;
const NO_BODY = new BorrowedBody(Buffer.alloc(0));

/** The result of a commit. A `stale` request was judged again. */
export type CommitResult = (
  | Exclude<AppendResult, { reason: 'stale' } | { reason: 'signature_invalid' }>
  /** Its source is enforced, and it failed. */
  | { stored: false; reason: 'signature_invalid'; verification: Verification | null }
) & {
  /** Set for a check of the URL, which is answered even if it isn't stored. */
  handshake?: HandshakeVerdict;
};

export interface JudgedCommitOptions {
  commit(request: CapturedRequest): Promise<AppendResult>;
  judge: Judge;
}

/** Judges requests by the settings that it learned last. */
export interface Judge {
  /** Undefined for an endpoint without known settings, whose requests need no verdict. */
  verdict(request: CapturedRequest): Verdict | Promise<Verdict> | undefined;
  learn(publicToken: string, settings: JudgingSettings): void;
}

/**
 * Commits a request with its verdict. The commit compares the verdict's version of the endpoint's
 * settings with the present one, so a change of settings holds for each request that is stored
 * after the answer to that change.
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
    const handshake = verdict?.handshake;
    if (result.stored) return handshake ? { ...result, handshake } : result;
    if (result.reason === 'signature_invalid') {
      const verification = verdict?.verification ?? null;
      return { ...result, verification, ...(handshake && { handshake }) };
    }
    if (result.reason !== 'stale') return result;
    judge.learn(request.publicToken, result.judgeBy);
  }
  throw new HookrelayError('overloaded', 'the endpoint’s settings change too fast', {
    hint: 'send the request again',
    retryAfterS: 1,
  });
}

/**
 * Drops the body of a request that isn't kept, so it doesn't cross to the store. Masks the header
 * in which a provider brings the endpoint's secret. A repeated handshake is an ordinary event, and
 * must not store the secret in its headers.
 */
function withVerdict(request: CapturedRequest, verdict: Verdict): CapturedRequest {
  const { refused, verification } = verdict;
  if (refused?.keep === false) return { ...request, verdict, body: NO_BODY };
  const header = secretHeaderOf(verification?.provider ?? null);
  if (header === null) return { ...request, verdict };
  return { ...request, verdict, rawHeaders: masked(request.rawHeaders, header) };
}

function masked(rawHeaders: string[], header: string): string[] {
  return rawHeaders.map((text, i) =>
    i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === header ? MASK : text,
  );
}
