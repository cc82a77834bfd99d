import type { Endpoint } from '../../../core/model.ts';
import type { Source, SourceSettings } from '../../../core/proof/source.ts';
import {
  NOT_CHECKED,
  VERIFICATION_STATE,
  type Verification,
} from '../../../core/proof/verification.ts';

/** `events.verification` and `events.proof`. */
export interface ProofColumns {
  verification: number | null;
  proof: string | null;
}

type StoredProof = [
  provider: Verification['provider'],
  secret: Verification['secret'],
  reason: Verification['reason'],
];

/** Returns the columns of a verification. Null is for an endpoint without a source. */
export function proofColumns(verification: Verification | null): ProofColumns {
  if (verification === null) return { verification: null, proof: null };
  const { state, provider, secret, reason } = verification;
  const stored: StoredProof = [provider, secret, reason];
  return { verification: VERIFICATION_STATE.code(state), proof: JSON.stringify(stored) };
}

export function verificationOf({ verification, proof }: ProofColumns): Verification {
  if (verification === null || proof === null) return NOT_CHECKED;
  const [provider, secret, reason] = JSON.parse(proof) as StoredProof;
  return { ...stateOf(verification), provider, secret, reason };
}

/** Returns only the state, because rules read nothing else. */
export function stateOf(verification: ProofColumns['verification']): Pick<Verification, 'state'> {
  return { state: VERIFICATION_STATE.name(verification ?? VERIFICATION_STATE.code('unverified')) };
}

/** Returns the verification of a rejected request, from its column `proof`. */
export function rejectionOf(proof: string): Verification {
  return verificationOf({ verification: VERIFICATION_STATE.code('failed'), proof });
}

/** `endpoints.source` and `sealed_source_secrets`. */
export interface SourceColumns {
  source: string | null;
  sealedSourceSecrets: Uint8Array | null;
}

/** Returns the value of `endpoints.source`, which contains no secrets. */
export function storedSource(source: Source | null): string | null {
  if (source === null) return null;
  const { sealedSecrets: _, ...settings } = source;
  return JSON.stringify(settings satisfies SourceSettings);
}

export function sourceOf({ source, sealedSourceSecrets }: SourceColumns): Source | null {
  if (source === null || sealedSourceSecrets === null) return null;
  return {
    ...(JSON.parse(source) as Omit<Source, 'sealedSecrets'>),
    sealedSecrets: sealedSourceSecrets,
  };
}

/**
 * Returns whether two versions of an endpoint have the same source, secrets and dedupe settings.
 */
export function isSameProof(
  a: Pick<Endpoint, 'source' | 'settings'>,
  b: Pick<Endpoint, 'source' | 'settings'>,
): boolean {
  const [{ source: one }, { source: other }] = [a, b];
  const areSealedAlike =
    one === null || other === null || Buffer.compare(one.sealedSecrets, other.sealedSecrets) === 0;
  return (
    areSealedAlike &&
    storedSource(one) === storedSource(other) &&
    JSON.stringify(a.settings.dedupe) === JSON.stringify(b.settings.dedupe)
  );
}
