import type { HeaderPair } from '../../core/model.ts';
import type { UnsignedRequest } from './signature.ts';

/**
 * Proves a request of a provider that doesn't sign the whole body. The proof is a token, a
 * password, or a signature of a part. Only `hookrelay trigger` uses stamps, because deliveries are
 * signed again only if the signature covers the body.
 */
export interface Stamp {
  /** Where the request has the proof: in a header, or in a member of the body. */
  place: string;
  /** The publicly known secret. It is used unless a person gives another. */
  testSecret: string;
  /**
   * Returns the proof. Throws `config_invalid` for an unusable secret, and for a body that has no
   * place for the proof.
   */
  prove(request: UnsignedRequest, secret: string): Stamped;
}

interface Stamped {
  /** The headers to add. */
  headers: HeaderPair[];
  /** The body with the proof. Not set if the body doesn't change. */
  body?: Buffer;
}
