/** An HMAC over the body, keyed with the secret's UTF-8 text. */
export interface HmacScheme {
  hash: 'sha256';
  encoding: 'hex' | 'base64';
  /** The text before the signature in its header: `sha256=`. Empty for none. */
  prefix: string;
  /** The time of signing, which is signed with the body. Null when only the body is signed. */
  time: SignedTime | null;
  secret: {
    /** The provider's term for the secret: `the app's signing secret`. */
    name: string;
    /** The environment variable of the secret in generated handlers. */
    variable: string;
  };
}

/** A time in Unix seconds. The signed text is `before`, the seconds, `after` and the body. */
export interface SignedTime {
  /** A header with the seconds, or the signature's header as a list of fields: `t=1,v1=ab,v1=cd`. */
  place: { header: string } | { timeField: string; signatureField: string };
  before: string;
  after: string;
  /** Largest difference from now that the provider's library accepts, seconds. */
  toleranceS: number;
}
