import type { SourceSettings } from '../core/proof/source.ts';
import type { Verification } from '../core/proof/verification.ts';
import { proofOf } from './own-sources/proof-of.ts';
import { countedSecrets } from './public-keys.ts';
import { anyOf, type ProofOutcome } from './signing/proof-outcome.ts';
import type { VerifiableRequest } from './signing/verifiable-request.ts';

/**
 * Verifies a request by an endpoint's source. Any secret may fit. Throws only
 * `VerifyingTooCostly`, past the request's work.
 *
 * @param secrets the source's, opened; null where they can't be opened
 * @param proof the source's, which callers with many requests make once
 */
export function prove(
  source: SourceSettings,
  secrets: readonly string[] | null,
  request: VerifiableRequest,
  proof = proofOf(source),
): Verification {
  const { provider } = source;
  if (!proof || !secrets?.length) {
    // A newer program may know the provider, or a handshake brings the secret later. What
    // can't be checked isn't let in.
    const reason = proof && !secrets ? 'secret_unreadable' : 'key_unavailable';
    return { state: 'failed', provider, secret: null, reason };
  }
  const hashed = request.body.length * (proof.coversUrl ? request.urls.length : 1);
  const outcomes: ProofOutcome[] = [];
  for (const secret of countedSecrets(proof, secrets)) {
    request.work?.hash(hashed);
    const reason = proof.check(request, secret);
    if (reason === null) {
      const state = proof.gradeOf?.(request, secret) ?? proof.grade;
      return { state, provider, secret: secrets.indexOf(secret) + 1, reason };
    }
    outcomes.push(reason);
  }
  // The secrets of SNS are topics: one that isn't the message's doesn't disprove it.
  const isUndecided = proof.keyNeeded && outcomes.includes('key_unavailable');
  const reason = isUndecided ? 'key_unavailable' : anyOf(outcomes);
  return { state: 'failed', provider, secret: null, reason };
}
