import type { SignedClock } from '../../core/proof/failure-text.ts';
import type { KeyRequest } from '../fetched-keys/fetched-key.ts';
import { schemeClock } from '../reasons/signed-clock.ts';
import { KEY_FORMS, keyOf } from './secret-key.ts';
import type { SecretOutcome } from './secret-outcome.ts';
import type { SignatureScheme } from './signature-scheme.ts';
import type { SignedRequest } from './signed-request.ts';
import { verifyScheme } from './verify-scheme.ts';

type Grade = 'verified' | 'authenticated';

/** How a receiver verifies that a provider has sent a request. */
export interface Proof {
  /**
   * The state of a request that passes the check: `authenticated` if the proof doesn't cover the
   * body.
   */
  grade: Grade;
  /** Replaces `grade` for providers with proofs of both grades. */
  gradeOf?(request: SignedRequest, secret: string): Grade;
  /** True if the proof covers the URL. The source's `url` then matters. */
  coversUrl?: boolean;
  /** The provider's term for the secret: `the app's signing secret`. */
  secret: string;
  /** The usual prefix of such a secret, for a hint. Secrets without it may work too. */
  secretPrefix?: string;
  /**
   * Returns why a text can't be a secret, to follow "the secret": `must be …`. Otherwise returns
   * null.
   */
  problem(secret: string): string | null;
  /**
   * Returns true if a secret is a public key. Only a source's first few public keys are used. Not
   * set for providers without public keys.
   */
  isPublicKey?(secret: string): boolean;
  /**
   * Returns the key to fetch for a request's signature. Returns null if none is needed, or if no
   * key could make the request pass. Never throws.
   */
  keyNeeded?(request: SignedRequest, secrets: readonly string[]): KeyRequest | null;
  /**
   * Checks a request with one secret. Counts checks with public keys as work of the request. Throws
   * only `VerifyingTooCostly`, whatever the sender sent.
   */
  check(request: SignedRequest, secret: string): SecretOutcome;
  /** Returns the signed time of a request, or null if there is none. */
  clock?(request: SignedRequest): SignedClock | null;
}

/** Returns the proof of a signature that a scheme describes. */
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
