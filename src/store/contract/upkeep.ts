import type { SessionLimits } from './accounts.ts';

export interface UpkeepStore {
  /**
   * Deletes up to `maxEvents` old events without open deliveries, with all their rows. If there are
   * none, deletes as many old rejected requests. `more`: call again.
   */
  retireSlice(terms: RetentionTerms, maxEvents: number): Promise<RemovedSlice>;
  /**
   * Deletes up to `maxEvents` events of deleted endpoints. Afterwards deletes the rejected requests
   * of these endpoints, then the endpoints. `removed` counts only events. `more`: call again.
   */
  purgeSlice(maxEvents: number): Promise<RemovedSlice>;
  /**
   * Ends up to `most` deliveries that an open breaker has held for longer than the destination's
   * `hold`. They become dead with the error `held_too_long`. `more`: call again.
   */
  expireHeldSlice(now: number, most: number): Promise<{ expired: number; more: boolean }>;
  dropExpiredSessions(limits: SessionLimits, now: number): Promise<number>;
}

export interface RetentionTerms {
  /**
   * Events received before this time are old, Unix ms. If null, only an endpoint's own retention
   * makes its events old.
   */
  before: number | null;
  /** The present time, Unix ms. If given, an endpoint's own retention replaces `before`. */
  now?: number;
}

/** A part of long work. */
export interface Held {
  /** How long the part kept captures from the writer, ms. 0 where several may write at once. */
  heldMs: number;
}

export interface RemovedSlice extends Held {
  removed: number;
  more: boolean;
}
