/** Who sends to an endpoint, and how requests prove it. */
export interface Source extends SourceSettings {
  /** A JSON array of secrets, sealed with the endpoint's id. */
  sealedSecrets: Uint8Array;
  /** Set when a handshake brought the secret, until a person confirms it. */
  brought?: BroughtSecret;
}

/** The handshake that brought the secret. Anybody could have sent this handshake. */
export interface BroughtSecret {
  /** Unix ms. */
  at: number;
  eventId: string;
}

export interface SourceSettings {
  /** The name of a provider, or `token`, `basic` or `custom`. */
  provider: string;
  /** Whether hookrelay refuses requests that fail verification. */
  enforce: boolean;
  /** The URL that is registered at the provider. Null if it is the capture URL. */
  url: string | null;
  /** For `token`: the place of the token, such as `header.x-token`. Null for other sources. */
  in: string | null;
  /** For `custom`. Null for others. */
  scheme: CustomScheme | null;
}

export const CUSTOM_ALGORITHMS = ['hmac-sha1', 'hmac-sha256', 'hmac-sha512', 'ed25519'] as const;

/** How a sender signs, if it isn't one of the known providers. */
export interface CustomScheme {
  /** The place of the signature: `header.x-signature`. */
  signature: string;
  /** The signature's form, with one of `{hex}`, `{base64}` and `{base64url}`: `sha256={hex}`. */
  form: string;
  algorithm: (typeof CUSTOM_ALGORITHMS)[number];
  /** The text that is signed, with `{body}`, `{header.NAME}`, `{method}` and `{url}`. */
  signed: string;
  /** The place of the time of signing, in Unix seconds or milliseconds. Null if there is none. */
  timestamp: string | null;
  /** The largest allowed difference between the time of signing and the receipt, ms. */
  toleranceMs: number;
}

/** Names of sources that aren't providers. */
export const OWN_SOURCES = ['token', 'basic', 'custom'] as const;
