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
  /** A hash of the body, without what the provider changes between retries. */
  body: string;
}
