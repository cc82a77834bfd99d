import type { SourceSettings } from '../core/proof/source.ts';
import type { Verification } from '../core/proof/verification.ts';
import { proofOf } from './own-sources/proof-of.ts';
import { countedSecrets } from './public-keys.ts';
import { anyOf, type SecretOutcome } from './signing/secret-outcome.ts';
import type { SignedRequest } from './signing/signed-request.ts';

/**
 * Verifies a request by an endpoint's source: one of the secrets must fit. Throws only
 * `VerifyingTooCostly`, where the request takes too much work.
 *
 * @param secrets the source's, opened; null where they can't be opened
 * @param proof the source's, for callers that make it once for many requests
 */
export function prove(
  source: SourceSettings,
  secrets: readonly string[] | null,
  request: SignedRequest,
  proof = proofOf(source),
): Verification {
  const { provider } = source;
  if (!proof || !secrets?.length) {
    // A newer program may know the provider, or a handshake may bring the secret later. Until then,
    // the request fails.
    const reason = proof && !secrets ? 'secret_unreadable' : 'key_unavailable';
    return { state: 'failed', provider, secret: null, reason };
  }
  const hashed = request.body.length * (proof.coversUrl ? request.urls.length : 1);
  const outcomes: SecretOutcome[] = [];
  for (const secret of countedSecrets(proof, secrets)) {
    request.work?.hash(hashed);
    const reason = proof.check(request, secret);
    if (reason === null) {
      const state = proof.gradeOf?.(request, secret) ?? proof.grade;
      return { state, provider, secret: secrets.indexOf(secret) + 1, reason };
    }
    outcomes.push(reason);
  }
  // The secrets of SNS are topics: a secret of another topic doesn't disprove the message.
  const isUndecided = proof.keyNeeded && outcomes.includes('key_unavailable');
  const reason = isUndecided ? 'key_unavailable' : anyOf(outcomes);
  return { state: 'failed', provider, secret: null, reason };
}
