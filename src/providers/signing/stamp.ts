import type { HeaderPair } from '../../core/model.ts';
import type { UnsignedRequest } from './signature.ts';

/**
 * Proves a request as a provider does whose proof is no signature of the whole body: a
 * token, a password, or a signature of a part. `hookrelay trigger` uses it. Deliveries never
 * do: only what covers the body is signed again.
 */
export interface Stamp {
  /** Where the proof stands: a header, or a member of the body. */
  place: string;
  /** The public secret, used unless another is given. */
  testSecret: string;
  /** Throws `config_invalid` for a secret that the provider can't use, and for a body without the proof's place. */
  prove(request: UnsignedRequest, secret: string): Stamped;
}

export interface Stamped {
  /** The headers to add. */
  headers: HeaderPair[];
  /** The body with the proof in it; absent where it stays as it is. */
  body?: Buffer;
}
