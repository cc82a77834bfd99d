import type { HeaderPair } from '../../core/model.ts';
import type { UnsignedRequest } from './signature.ts';

/**
 * Proves a request for a provider that doesn't sign the whole body: by a token, a password, or a
 * signature of a part. Only `hookrelay trigger` uses it: deliveries re-sign only what covers the
 * body.
 */
export interface Stamp {
  /** Where the proof stands: a header, or a member of the body. */
  place: string;
  /** The public secret, used unless another is given. */
  testSecret: string;
  /** Throws `config_invalid` for an unusable secret, and for a body without the proof's place. */
  prove(request: UnsignedRequest, secret: string): Stamped;
}

interface Stamped {
  /** The headers to add. */
  headers: HeaderPair[];
  /** The body with the proof in it; absent where it stays as it is. */
  body?: Buffer;
}
