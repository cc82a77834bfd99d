import type { SourceSettings } from '../core/proof/source.ts';
import type { Verification } from '../core/proof/verification.ts';
import { proofOf } from './own-sources/proof-of.ts';
import { countedSecrets } from './public-keys.ts';
import { anyOf, type SecretOutcome } from './signing/secret-outcome.ts';
import type { SignedRequest } from './signing/signed-request.ts';

/**
 * Verifies a request with an endpoint's source. One matching secret is enough. Throws only
 * `VerifyingTooCostly`.
 *
 * @param secrets the source's decrypted secrets; null if they can't be decrypted
 * @param proof the source's proof, for callers that verify many requests with it
 */
export function prove(
  source: SourceSettings,
  secrets: readonly string[] | null,
  request: SignedRequest,
  proof = proofOf(source),
): Verification {
  const { provider } = source;
  if (!proof || !secrets?.length) {
    // Without a proof, only a newer version of hookrelay knows the provider. Without a secret, a
    // handshake may still deliver one.
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
  // For SNS, each secret is a topic. A message of one topic isn't refuted by a mismatch with
  // another.
  const isUndecided = proof.keyNeeded && outcomes.includes('key_unavailable');
  const reason = isUndecided ? 'key_unavailable' : anyOf(outcomes);
  return { state: 'failed', provider, secret: null, reason };
}
