/** By what an endpoint tells that a request repeats an earlier one. */
export interface Dedupe {
  /** `provider`: the delivery id of the request's provider. Otherwise paths (`core/rules`). */
  by: 'provider' | readonly string[];
  /** A new text with each change: keys from before the change don't count. */
  since: string;
}

/** The key that a request claims. The first event of a key is the only one that is delivered. */
export interface OnceKey {
  /** A hash of the endpoint's `since` and of the values. */
  key: string;
  /** A hash of the body, without what the provider changes between retries; or `UNKNOWN_BODY`. */
  body: string;
}

/** The hash of a body that is too large to leave out what the provider changes. */
export const UNKNOWN_BODY = '';

/** Whether a request that repeats a key has another body than the first one. */
export function isOtherBody(first: string, repeat: string): boolean {
  return first !== repeat && first !== UNKNOWN_BODY && repeat !== UNKNOWN_BODY;
}
