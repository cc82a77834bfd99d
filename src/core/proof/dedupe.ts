/** How an endpoint recognises repeated requests. */
export interface Dedupe {
  /** `provider`: by the provider's delivery id. A list: by the values at these paths. */
  by: 'provider' | readonly string[];
  /** A new value for each change of the setting. It invalidates earlier keys. */
  since: string;
}

/** The key of a request. hookrelay delivers only the first event with a key. */
export interface OnceKey {
  /** A hash of the endpoint's `since` and of the values. */
  key: string;
  /** A hash of the body without the parts that differ between retries, or `UNKNOWN_BODY`. */
  body: string;
}

/** Replaces the hash of a body that is too large for removing those parts. */
export const UNKNOWN_BODY = '';

/** Returns whether a repeated request has another body. False if either body is unknown. */
export function isOtherBody(first: string, repeat: string): boolean {
  return first !== repeat && first !== UNKNOWN_BODY && repeat !== UNKNOWN_BODY;
}
