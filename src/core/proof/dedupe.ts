/** How an endpoint recognises repeated requests. */
export interface Dedupe {
  /** `provider`: by the provider's delivery id. A list: by the values at these paths. */
  by: 'provider' | readonly string[];
  /** Changes with each change of the setting, so that keys from before it don't count. */
  since: string;
}

/** The key of a request. hookrelay delivers only the first event with a key. */
export interface OnceKey {
  /** A hash of the endpoint's `since` and of the values. */
  key: string;
  /** A hash of the body without what changes between retries, or `UNKNOWN_BODY`. */
  body: string;
}

/** Replaces the hash of a body that is too large to remove what changes between retries. */
export const UNKNOWN_BODY = '';

/**
 * Returns whether the body of a repeated request differs from the first one's. False if either is
 * unknown.
 */
export function isOtherBody(first: string, repeat: string): boolean {
  return first !== repeat && first !== UNKNOWN_BODY && repeat !== UNKNOWN_BODY;
}
