import type { Proof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';
import { headersOf } from '../signing/signed-request.ts';
import { standardProof } from '../signing/standard-proof.ts';
import { SIGNING_TOKEN_PREFIX } from './sign.ts';

const SIGNED = standardProof("the webhook's signing token");

/**
 * A signing token signs the body. A secret token is sent as it is, so it doesn't cover the body.
 */
export const gitlabProof: Proof = {
  grade: 'verified',
  gradeOf: (_request, secret) => (isSigningToken(secret) ? 'verified' : 'authenticated'),
  secret: "the webhook's signing token or secret token",
  problem: (secret) => (isSigningToken(secret) ? SIGNED.problem(secret) : null),
  clock: (request) => SIGNED.clock?.(request) ?? null,
  check(request, secret) {
    if (isSigningToken(secret)) return SIGNED.check(request, secret);
    const tokens = headersOf(request, 'X-Gitlab-Token');
    if (tokens.length === 0) return 'signature_missing';
    return tokens.some((token) => isSameText(token, secret)) ? null : 'signature_mismatch';
  },
};

function isSigningToken(secret: string): boolean {
  return secret.startsWith(SIGNING_TOKEN_PREFIX);
}
