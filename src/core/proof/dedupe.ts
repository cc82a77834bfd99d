/** How an endpoint recognises repeated requests. */
export interface Dedupe {
  /** `provider`: by the provider's delivery id. Otherwise by the values at these paths. */
  by: 'provider' | readonly string[];
  /** A new text with each change, so that keys from before the change don't count. */
  since: string;
}

/** The key that a request claims. hookrelay delivers only the first event of a key. */
export interface OnceKey {
  /** A hash of the endpoint's `since` and of the values. */
  key: string;
  /** A hash of the body without what the provider changes between retries, or `UNKNOWN_BODY`. */
  body: string;
}

/** In place of the hash of a body that is too large to leave out what the provider changes. */
export const UNKNOWN_BODY = '';

/** Whether the body of a repeated request differs from the first one's. */
export function isOtherBody(first: string, repeat: string): boolean {
  return first !== repeat && first !== UNKNOWN_BODY && repeat !== UNKNOWN_BODY;
}
