import type { SessionLimits } from './accounts.ts';

export interface UpkeepStore {
  /**
   * Deletes up to `maxEvents` old events without open deliveries, with all their rows, or as
   * many old rejected requests. `more` says whether to call again.
   */
  retireSlice(
    terms: RetentionTerms,
    maxEvents: number,
  ): Promise<{ removed: number; more: boolean }>;
  /**
   * Deletes up to `maxEvents` events of deleted endpoints, then their rejected requests,
   * then those endpoints. `removed` counts events.
   */
  purgeSlice(maxEvents: number): Promise<{ removed: number; more: boolean }>;
  /**
   * Ends up to `most` deliveries that an open breaker has held for longer than the
   * destination's `hold`. They are then dead, with the error `held_too_long`. `more` says
   * whether to call again.
   */
  expireHeldSlice(now: number, most: number): Promise<{ expired: number; more: boolean }>;
  dropExpiredSessions(limits: SessionLimits, now: number): Promise<number>;
}

export interface RetentionTerms {
  /**
   * Events received before this are old, Unix ms. Null: only endpoints with their own
   * retention have old events.
   */
  before: number | null;
  /** If given, an endpoint's own retention replaces `before`. */
  now?: number;
}
