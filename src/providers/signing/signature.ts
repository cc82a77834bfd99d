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
  /** The other headers of the request, for schemes that sign some of them. */
  headers?: readonly HeaderPair[];
}

/** How a provider proves that a request is its own. */
export interface Signature {
  /** The header that a receiver checks, as the provider spells it. */
  header: string;
  /** The scheme. Not set if no scheme can describe the signature. */
  scheme?: SignatureScheme;
  /** How generated handlers name the secret. They verify this signature by its scheme. */
  handlers?: HandlerSecret;
  signer?: Signer;
  rejection?: Rejection;
}

export interface HandlerSecret {
  /** The provider's term for the secret: `the app's signing secret`. */
  name: string;
  /** The environment variable of the secret. */
  variable: string;
}

/** A signature that hookrelay can make. */
export interface SignedAs extends Signature {
  signer: Signer;
}

/** Signs requests as a provider does. */
export interface Signer {
  /** The publicly known secret of samples. It is used unless a person gives another. */
  testSecret: string;
  /**
   * Returns the headers to add, in the order of sending, with the signature last. Throws
   * `config_invalid` for a secret that the provider's scheme can't use.
   */
  sign(request: UnsignedRequest, secret: string): HeaderPair[];
  /**
   * Returns the same headers with one signature for each secret. For forms that hold several
   * signatures.
   */
  signAll?(request: UnsignedRequest, secrets: readonly string[]): HeaderPair[];
  /**
   * Returns the public key that verifies the signatures. Not set if the secret itself verifies
   * them.
   */
  verificationKey?(secret: string): string;
}

/** The words of receivers that reject this signature, and what to do then. */
export interface Rejection {
  /** Matches words that only the provider's own libraries use. */
  says: RegExp;
  /** The place where the provider shows the signing secret. */
  secret: string;
  /** The usual cause of a rejection, if it is neither a wrong secret nor a parsed body. */
  cause?: string;
  /** The step that removes that cause. */
  step?: string;
  /** The step that makes the provider's library accept older signatures. */
  ageStep?: string;
}

/** The test secret of all providers whose secrets may be any text. */
export const TEST_SECRET = 'hookrelay-test-secret';
