/** Who sends to an endpoint, and how a request proves it. Its secrets are sealed. */
export interface Source extends SourceSettings {
  /** The secrets as a JSON array of texts, sealed with the endpoint's id. */
  sealedSecrets: Uint8Array;
  /** Set where a handshake brought the secret, until a person confirms it. */
  brought?: BroughtSecret;
}

/** The handshake whose secret was kept. Anybody could have sent it. */
export interface BroughtSecret {
  /** Unix ms. */
  at: number;
  eventId: string;
}

export interface SourceSettings {
  /** The name of a provider, or `token`, `basic` or `custom`. */
  provider: string;
  /** Whether requests that fail are refused. */
  enforce: boolean;
  /** The URL as it is registered at the provider; null for the capture URL. */
  url: string | null;
  /** Of `token`: the place of the token, `header.x-token` or `query.t`. */
  in: string | null;
  /** Of `custom`. */
  scheme: CustomScheme | null;
}

export const CUSTOM_ALGORITHMS = ['hmac-sha1', 'hmac-sha256', 'hmac-sha512', 'ed25519'] as const;

/** A signature of a sender that no provider describes. */
export interface CustomScheme {
  /** The place of the signature: `header.x-signature`. */
  signature: string;
  /** Text with one of `{hex}`, `{base64}` and `{base64url}`: `sha256={hex}`. */
  form: string;
  algorithm: (typeof CUSTOM_ALGORITHMS)[number];
  /** Text with `{body}`, `{header.NAME}`, `{method}` and `{url}`. */
  signed: string;
  /** The place of the time of signing, Unix seconds or milliseconds; null without one. */
  timestamp: string | null;
  /** Largest difference between that time and the receipt, ms. */
  toleranceMs: number;
}

/** Names of sources that are no provider. */
export const OWN_SOURCES = ['token', 'basic', 'custom'] as const;
