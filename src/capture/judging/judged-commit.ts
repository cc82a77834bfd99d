import { HookrelayError } from '../../core/errors.ts';
import { BorrowedBody } from '../../core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../core/http/captured-request.ts';
import type { HandshakeVerdict } from '../../core/proof/handshake.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { JudgingSettings, Verdict } from '../../core/rules/verdict.ts';
import { MASK } from '../../core/secrets/masked-secret.ts';
import { secretHeaderOf } from '../../providers/handshakes.ts';
import type { AppendResult } from '../../store/contract/events.ts';

/**
 * At most this many verdicts on one request. A change of the settings before the commit needs a new
 * verdict.
 */
const MOST_VERDICTS = 10;
const NO_BODY = new BorrowedBody(Buffer.alloc(0));

/** The result of a commit. It is never `stale`, because a stale request is judged again. */
export type CommitResult = (
  | Exclude<AppendResult, { reason: 'stale' } | { reason: 'signature_invalid' }>
  /** The source is enforced, and the request failed its check. */
  | { stored: false; reason: 'signature_invalid'; verification: Verification | null }
) & {
  /** Set for a handshake, which is answered even if it isn't stored. */
  handshake?: HandshakeVerdict;
};

export interface JudgedCommitOptions {
  commit(request: CapturedRequest): Promise<AppendResult>;
  judge: Judge;
}

export interface Judge {
  /**
   * Judges by the settings that it learned last. Returns undefined if it knows none. The request is
   * then committed without a verdict, and the commit checks whether it needs one.
   */
  verdict(request: CapturedRequest): Verdict | Promise<Verdict> | undefined;
  learn(publicToken: string, settings: JudgingSettings): void;
}

/**
 * Judges a request and commits it with the verdict. If the settings have changed since the verdict,
 * the commit stores nothing, and the request is judged again. So once the API has confirmed a
 * change of settings, no request is stored under the old ones.
 *
 * Throws `overloaded` if the settings change faster than the request can be judged.
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
 * Adds the verdict to the request. Drops the body of a request that won't be kept. Masks the header
 * in which a provider sends the endpoint's secret. A repeated handshake is stored as an ordinary
 * event, and its headers must not reveal the secret.
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
