import type { HmacScheme } from './hmac-scheme.ts';

export type HeaderPair = readonly [name: string, value: string];

/** Everything that a provider's signature may cover. */
export interface UnsignedRequest {
  /** As the request goes out, query included. */
  url: string;
  body: Buffer;
  /** When the request is sent, Unix seconds. */
  timestampS: number;
  deliveryId: string;
}

/** How a provider proves that a request is its own. */
export interface Signature {
  /** The header that a receiver checks, as the provider spells it. */
  header: string;
  /** The scheme as data, where it is an HMAC of the body. Generated handlers verify these. */
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
  /** The key that verifies, in schemes where that isn't the secret itself. */
  verificationKey?(secret: string): string;
}

/** How receivers reject this signature, and what helps. */
export interface Rejection {
  /** Matches what only the provider's own libraries say. */
  says: RegExp;
  /** Where the provider shows the secret that it signs with. */
  secret: string;
  /** The usual cause, where it isn't a wrong secret or a parsed body. */
  cause?: string;
  /** The step that mends that cause. */
  step?: string;
  /** How to make the provider's library accept older signatures. */
  ageStep?: string;
}

/** One text for all providers whose secrets may be any text. */
export const TEST_SECRET = 'hookrelay-test-secret';
