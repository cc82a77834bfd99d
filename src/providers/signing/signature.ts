import type { HmacScheme } from './hmac-scheme.ts';

export type HeaderPair = readonly [name: string, value: string];

/** Everything that a provider's signature may cover. */
export interface UnsignedRequest {
  /** The URL of the request, with its query. */
  url: string;
  body: Buffer;
  /** The time of sending, Unix seconds. */
  timestampS: number;
  deliveryId: string;
}

/** How a provider proves that a request is its own. */
export interface Signature {
  /** The header that a receiver checks, as the provider spells it. */
  header: string;
  /** The scheme as data, for an HMAC of the body. Generated handlers verify such signatures. */
  hmac?: HmacScheme;
  signer?: Signer;
  rejection?: Rejection;
}

/** A signature that hookrelay can make. */
export interface SignedAs extends Signature {
  signer: Signer;
}

/** Signs requests as a provider does. */
export interface Signer {
  /** The public secret of samples, used unless another is given. */
  testSecret: string;
  /**
   * The headers to add, in the order of sending, the signature last. Throws `config_invalid` for a
   * secret that the provider's scheme can't use.
   */
  sign(request: UnsignedRequest, secret: string): HeaderPair[];
  /** The key that verifies, for schemes in which the secret doesn't. */
  verificationKey?(secret: string): string;
}

/** The words with which receivers reject this signature, and the remedies. */
export interface Rejection {
  /** Matches words that only the provider's own libraries use. */
  says: RegExp;
  /** The place where the provider shows the signing secret. */
  secret: string;
  /** The usual cause, if it is neither a wrong secret nor a parsed body. */
  cause?: string;
  /** The step that removes that cause. */
  step?: string;
  /** The step that makes the provider's library accept older signatures. */
  ageStep?: string;
}

/** The test secret of all providers whose secrets may be any text. */
export const TEST_SECRET = 'hookrelay-test-secret';
