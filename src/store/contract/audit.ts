import type { AuditEntry } from '../../core/audit.ts';

/** The changes that each account made, in the order in which they were added. */
export interface AuditStore {
  /**
   * Adds an entry. The account keeps its newest `most` entries.
   *
   * With `quietMs`, adds nothing if the account has an entry of the same action from the
   * last `quietMs`.
   */
  add(entry: NewAuditEntry, terms: { most: number; quietMs?: number }): Promise<void>;
  /** A page of the account's entries, newest first, and their number on all pages. */
  list(userId: string, window: { offset: number; limit: number }): Promise<AuditPage>;
  /**
   * Deletes up to `maxEntries` entries added before `before`, of the accounts whose ids
   * follow `after` (first: an empty text). Each account keeps its entries from the first
   * recent one on. `next` is the `after` of the next slice; null when no account is left.
   */
  retireSlice(
    before: number,
    after: string,
    maxEntries: number,
  ): Promise<{ removed: number; next: string | null }>;
}

export interface NewAuditEntry extends AuditEntry {
  userId: string;
}

export interface AuditPage {
  entries: AuditEntry[];
  total: number;
}
