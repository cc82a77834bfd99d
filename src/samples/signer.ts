import type { HeaderPair } from './sample.ts';

/** All that any provider's signature covers. */
export interface UnsignedRequest {
  /** As the request goes out, query included. */
  url: string;
  body: Buffer;
  /** When the request is sent, Unix seconds. */
  timestampS: number;
  deliveryId: string;
}

/** How one provider lets a receiver know that a request is its own. */
export interface Signer {
  /** The header that a receiver checks, as the provider spells it. */
  header: string;
  /** The secret that samples are signed with unless another is given: no secret at all. */
  testSecret: string;
  /**
   * The headers to add, in the order of sending, the signature last. Throws `config_invalid` for a
   * secret that the provider's scheme can't use.
   */
  sign(request: UnsignedRequest, secret: string): HeaderPair[];
  /** What verifies, in schemes where that isn't the secret itself. */
  verificationKey?(secret: string): string;
}

/** One text for all providers whose secrets may be any text. */
export const TEST_SECRET = 'hookrelay-test-secret';
