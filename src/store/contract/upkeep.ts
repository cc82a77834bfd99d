import type { SessionLimits } from './accounts.ts';

export interface UpkeepStore {
  /**
   * Deletes up to `maxEvents` events received before `before` that have no open
   * delivery, with all rows that belong to them. `more` says whether to call again.
   */
  retireSlice(before: number, maxEvents: number): Promise<{ removed: number; more: boolean }>;
  /** Deletes up to `maxEvents` events of deleted endpoints, then those endpoints. */
  purgeSlice(maxEvents: number): Promise<{ removed: number; more: boolean }>;
  dropExpiredSessions(limits: SessionLimits, now: number): Promise<number>;
}
