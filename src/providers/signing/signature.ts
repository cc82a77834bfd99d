import type { HeaderPair } from '../../core/model.ts';
import type { SignatureScheme } from './signature-scheme.ts';

/** Everything that a provider's signature may cover. */
export interface UnsignedRequest {
  method: string;
  /** The URL of the request, with its query. */
  url: string;
  body: Buffer;
  /** The time of sending, Unix seconds. */
  timestampS: number;
  deliveryId: string;
  /** The other headers of the request, for schemes that sign headers. */
  headers?: readonly HeaderPair[];
}

/** How a provider proves that it sent a request. */
export interface Signature {
  /** The header that a receiver checks, as the provider spells it. */
  header: string;
  /** Not set if no scheme can describe the signature. */
  scheme?: SignatureScheme;
  /** How generated handlers name the secret. */
  handlers?: HandlerSecret;
  signer?: Signer;
  /** A sentence about what signing again can't renew. Not set if it renews everything. */
  note?: string;
  rejection?: Rejection;
}

export interface HandlerSecret {
  /** The provider's term for the secret: `the app's signing secret`. */
  name: string;
  /** The environment variable with the secret. */
  variable: string;
}

/** A signature that hookrelay can make. */
export interface SignedAs extends Signature {
  signer: Signer;
}

/** Signs requests as a provider does. */
export interface Signer {
  /** The default secret of samples. It is publicly known. */
  testSecret: string;
  /**
   * Returns the headers to add, with the signature last. Throws `config_invalid` for an unusable
   * secret.
   */
  sign(request: UnsignedRequest, secret: string): HeaderPair[];
  /**
   * Returns the same headers with one signature for each secret. Only set for forms with several
   * signatures.
   */
  signAll?(request: UnsignedRequest, secrets: readonly string[]): HeaderPair[];
  /**
   * Returns the public key that verifies the signatures. Not set if the secret itself verifies
   * them.
   */
  verificationKey?(secret: string): string;
}

/** How to recognise a receiver that rejects this signature, and what to do then. */
interface Rejection {
  /** Matches words that only the provider's own libraries use. */
  says: RegExp;
  /** Where the provider shows the signing secret. */
  secret: string;
  /** The usual cause of a rejection, apart from a wrong secret and a parsed body. */
  cause?: string;
  /** The step that removes `cause`. */
  step?: string;
}

/** The test secret of all providers that accept any text as a secret. */
export const TEST_SECRET = 'hookrelay-test-secret';
