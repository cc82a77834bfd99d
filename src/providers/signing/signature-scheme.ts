import type { HeaderPair } from '../../core/model.ts';

/**
 * The description of a signature by a key over parts of a request. It drives verifying, signing and
 * generated handlers.
 */
export interface SignatureScheme {
  algorithm: SignatureAlgorithm;
  key: KeyForm;
  /** The header with the signatures, as the provider spells it. */
  header: string;
  encoding: SignatureEncoding;
  /** True if the provider sends hexadecimal digits in upper case. Either case verifies. */
  isUpperCase?: boolean;
  form: SignatureForm;
  /** The signed parts, in order. */
  signed: readonly SignedPart[];
  /**
   * The time of signing. Null if the signature doesn't cover the time, because an unsigned time
   * proves nothing.
   */
  time: SignedTime | null;
  /** Headers with fixed values that the provider sends beside the signature. */
  beside?: readonly HeaderPair[];
  /**
   * The header in which the provider sends the time of signing, Unix seconds, if it doesn't sign
   * that time.
   */
  unsignedTime?: string;
}

export type SignatureAlgorithm = 'hmac-sha1' | 'hmac-sha256' | 'hmac-sha512' | 'ed25519';

export type SignatureEncoding = 'hex' | 'base64' | 'base64url';

/**
 * How the text of a secret becomes the key.
 * - `text`: the key is the text's UTF-8 bytes
 * - `hex`, `base64`: the text is decoded
 * - `standard`: the base64 after `whsec_` is decoded
 *
 * For Ed25519, the secret is a raw public key in `hex` or `base64`.
 */
export type KeyForm = 'text' | 'hex' | 'base64' | 'standard';

/**
 * How a header writes signatures.
 * - `prefix`: the prefix and one signature; commas separate several, unless the prefix has a
 *   comma
 * - `field`: fields such as `t=1,v1=ab,v1=cd`; `isSingle` if receivers read only one signature,
 *   `isSpaced` if a blank follows each separator
 * - `tag`: a tag before each signature, separated by spaces: `v1,ab v1,cd`
 */
type SignatureForm =
  | { prefix: string }
  | { separator: ',' | ';'; field: string; isSingle?: boolean; isSpaced?: boolean }
  | { tag: string };

/** A fixed text, or a part of the request. `time` is the time's text as sent. */
export type SignedPart = { text: string } | 'body' | 'time' | 'url' | 'method' | { header: string };

export interface SignedTime {
  /** A header of its own, or a field of the signature's header. */
  place: { header: string } | { field: string };
  /** `any`: seconds, milliseconds or ISO 8601, as the text shows. */
  unit: 's' | 'ms' | 'iso' | 'any';
  /** The largest age that the provider's library accepts, ms. */
  toleranceMs: number;
  /** True if that library also limits times in the future by `toleranceMs`. */
  isTwoSided: boolean;
}
