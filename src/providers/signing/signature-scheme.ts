/**
 * The description of a signature by a key over parts of a request. Verifying, signing and generated
 * handlers all use this description.
 */
export interface SignatureScheme {
  algorithm: SignatureAlgorithm;
  /** How the secret's text becomes the key. */
  key: KeyForm;
  /** The header with the signatures, as the provider spells it. */
  header: string;
  encoding: SignatureEncoding;
  form: SignatureForm;
  /** The parts that are signed, one after the other. */
  signed: readonly SignedPart[];
  /**
   * The time of signing. Null if the signature doesn't cover it, because such a time proves
   * nothing.
   */
  time: SignedTime | null;
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
 * How the header spells its signatures.
 * - `prefix`: the prefix and one signature; commas separate several, unless the prefix has a comma
 * - `field`: fields such as `t=1,v1=ab,v1=cd`; `isSingle` if receivers read only one signature
 * - `tag`: a tag before each signature, separated by blanks: `v1,ab v1,cd`
 */
type SignatureForm =
  | { prefix: string }
  | { separator: ',' | ';'; field: string; isSingle?: boolean }
  | { tag: string };

/** A fixed text, or a part of the request. `time` is the time's text as it was sent. */
export type SignedPart = { text: string } | 'body' | 'time' | 'url' | 'method' | { header: string };

export interface SignedTime {
  /** Where the time is: in a header of its own, or in a field of the signature's header. */
  place: { header: string } | { field: string };
  /** `any`: seconds, milliseconds or an ISO 8601 time. The text itself shows which. */
  unit: 's' | 'ms' | 'iso' | 'any';
  /** The largest age that the provider's library accepts, ms. */
  toleranceMs: number;
  /** True if that library also refuses times that are so far in the future. */
  isTwoSided: boolean;
}
