import type { HeaderPair } from '../../core/model.ts';
import type { UnsignedRequest } from './signature.ts';

/**
 * Proves a request without a signature over the whole body: by a token, a password, or a signature
 * over a part. Only `hookrelay trigger` uses stamps. Deliveries are signed again only if the
 * signature covers the body.
 */
export interface Stamp {
  /** The header, or the member of the body, that contains the proof. */
  place: string;
  /** The default secret. It is publicly known. */
  testSecret: string;
  /**
   * Throws `config_invalid` for an unusable secret, and for a body without a place for the proof.
   */
  prove(request: UnsignedRequest, secret: string): Stamped;
}

interface Stamped {
  headers: HeaderPair[];
  /** The body with the proof. Not set if the body doesn't change. */
  body?: Buffer;
}
