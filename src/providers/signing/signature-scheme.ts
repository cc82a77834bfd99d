/**
 * A signature by a key over parts of a request, as data. Verifying, signing and
 * generated handlers read the same description.
 */
export interface SignatureScheme {
  algorithm: SignatureAlgorithm;
  /** How the secret's text becomes the key. */
  key: KeyForm;
  /** The header with the signatures, as the provider spells it. */
  header: string;
  encoding: SignatureEncoding;
  form: SignatureForm;
  /** What is signed, one part after the other. */
  signed: readonly SignedPart[];
  /** The time of signing; null for an unsigned time, which proves nothing. */
  time: SignedTime | null;
}

export type SignatureAlgorithm = 'hmac-sha1' | 'hmac-sha256' | 'hmac-sha512' | 'ed25519';

export type SignatureEncoding = 'hex' | 'base64' | 'base64url';

/**
 * `text`: its UTF-8 bytes. `hex`, `base64`: decoded. `standard`: the base64 after `whsec_`.
 * Ed25519 takes a public key, raw, in `hex` or `base64`.
 */
export type KeyForm = 'text' | 'hex' | 'base64' | 'standard';

/**
 * `prefix`: the prefix and one signature, which may repeat after commas, unless the prefix has a
 * comma. `field`: `t=1,v1=ab,v1=cd`; `isSingle` where receivers read one signature. `tag`: `v1,ab
 * v1,cd`, separated by blanks.
 */
type SignatureForm =
  | { prefix: string }
  | { separator: ',' | ';'; field: string; isSingle?: boolean }
  | { tag: string };

/** Text as it stands, or what it names in the request. `time` is the text that was sent. */
export type SignedPart = { text: string } | 'body' | 'time' | 'url' | 'method' | { header: string };

export interface SignedTime {
  /** A header of its own, or a field of the signature's header. */
  place: { header: string } | { field: string };
  /** `any`: seconds, milliseconds or an ISO 8601 time, by its look. */
  unit: 's' | 'ms' | 'iso' | 'any';
  /** Largest age that the provider's library accepts, ms. */
  toleranceMs: number;
  /** Whether that library also refuses times so far in the future. */
  isTwoSided: boolean;
}
