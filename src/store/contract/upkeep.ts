import type { SessionLimits } from './accounts.ts';

export interface UpkeepStore {
  /**
   * Deletes up to `maxEvents` old events that have no open delivery, with all rows that
   * belong to them, or as many rejected requests. `more` says whether to call again.
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
   * Ends up to `most` deliveries that an open breaker has held back for longer than their
   * destination's `hold`: they are dead, with the error `held_too_long`. `more` says
   * whether to call again.
   */
  expireHeldSlice(now: number, most: number): Promise<{ expired: number; more: boolean }>;
  dropExpiredSessions(limits: SessionLimits, now: number): Promise<number>;
}

export interface RetentionTerms {
  /** Events received before it are old, Unix ms; null where only endpoints of their own retention have old ones. */
  before: number | null;
  /** Where it is given, an endpoint's own retention counts in place of `before`. */
  now?: number;
}
