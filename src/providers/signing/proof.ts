import type { SignedClock } from '../../core/proof/failure-text.ts';
import type { KeyRequest } from '../fetched-keys/fetched-key.ts';
import { schemeClock } from '../reasons/signed-clock.ts';
import { KEY_FORMS, keyOf } from './secret-key.ts';
import type { SecretOutcome } from './secret-outcome.ts';
import type { SignatureScheme } from './signature-scheme.ts';
import type { SignedRequest } from './signed-request.ts';
import { verifyScheme } from './verify-scheme.ts';

type Grade = 'verified' | 'authenticated';

/** How a receiver tells that a provider has sent a request. */
export interface Proof {
  /** The state of a request that fits: `authenticated` where the proof doesn't cover the body. */
  grade: Grade;
  /** The grade of a request that fits, for providers that have proofs of both. */
  gradeOf?(request: SignedRequest, secret: string): Grade;
  /** Whether the proof covers the URL, so that `url` of a source counts. */
  coversUrl?: boolean;
  /** The provider's term for the secret: `the app's signing secret`. */
  secret: string;
  /** How such a secret begins, for a hint: other texts may fit too. */
  secretPrefix?: string;
  /** Why a text can't be a secret, to follow "the secret": `must be …`; null for one that can. */
  problem(secret: string): string | null;
  /**
   * Whether a secret is a public key, of which only the first few count; absent for providers
   * without.
   */
  isPublicKey?(secret: string): boolean;
  /**
   * The key on the network that a request's signature needs; null where it needs none, and for a
   * request that no key can save. Never throws.
   */
  keyNeeded?(request: SignedRequest, secrets: readonly string[]): KeyRequest | null;
  /**
   * Checks a request against one secret. Counts signatures by public keys as work of the request.
   * Throws only `VerifyingTooCostly`, whatever the sender sent.
   */
  check(request: SignedRequest, secret: string): SecretOutcome;
  /** The signed time of a request; null where it has none. */
  clock?(request: SignedRequest): SignedClock | null;
}

/** The proof of a signature that a scheme describes. */
export function schemeProof(scheme: SignatureScheme, secret: string): Proof {
  return {
    grade: 'verified',
    ...(scheme.signed.includes('url') && { coversUrl: true }),
    ...(scheme.algorithm === 'ed25519' && { isPublicKey: () => true }),
    secret,
    problem: (text) => (keyOf(scheme, text) === null ? KEY_FORMS[scheme.key] : null),
    check: (request, text) => verifyScheme(scheme, request, text),
    ...(scheme.time && { clock: (request) => schemeClock(scheme, request) }),
  };
}
