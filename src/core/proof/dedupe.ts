/** How an endpoint recognises repeated requests. */
export interface Dedupe {
  /** `provider`: by the provider's delivery id. A list: by the values at these paths. */
  by: 'provider' | readonly string[];
  /**
   * A text that is new after each change of the setting, so that keys from before the change don't
   * count.
   */
  since: string;
}

/** The key of a request. hookrelay delivers only the first event with a key. */
export interface OnceKey {
  /** A hash of the endpoint's `since` and of the values. */
  key: string;
  /**
   * A hash of the body, without the parts that the provider changes between retries. `UNKNOWN_BODY`
   * if the body is too large for that.
   */
  body: string;
}

/**
 * Stands for the hash of a body that is too large to remove the parts that the provider changes.
 */
export const UNKNOWN_BODY = '';

/**
 * Returns whether the body of a repeated request differs from the first one's. False if either is
 * unknown.
 */
export function isOtherBody(first: string, repeat: string): boolean {
  return first !== repeat && first !== UNKNOWN_BODY && repeat !== UNKNOWN_BODY;
}
