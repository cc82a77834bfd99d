/** An HMAC over the body, keyed with the secret's UTF-8 text. */
export interface HmacScheme {
  hash: 'sha256';
  encoding: 'hex' | 'base64';
  /** The text before the signature in its header: `sha256=`. Empty for none. */
  prefix: string;
  /** The time of signing, which is signed with the body; null where only the body is. */
  time: SignedTime | null;
  secret: {
    /** What the provider calls it: `the app's signing secret`. */
    name: string;
    /** The environment variable of generated handlers that holds it. */
    variable: string;
  };
}

/** Unix seconds, signed as `before`, seconds, `after` and the body. */
export interface SignedTime {
  /** A header with the seconds, or the signature's header as a list of fields: `t=1,v1=ab,v1=cd`. */
  place: { header: string } | { timeField: string; signatureField: string };
  before: string;
  after: string;
  /** How far from now the provider's own library lets it be, seconds. */
  toleranceS: number;
}
