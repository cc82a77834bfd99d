import type { AuditEntry } from '../../core/audit.ts';

/** The changes that each account made, in the order in which they were added. */
export interface AuditStore {
  /**
   * Adds an entry. The account keeps its newest `most` entries. If `quietMs` is given, adds nothing
   * when the account has an entry of the same action from the last `quietMs`.
   */
  add(entry: NewAuditEntry, terms: { most: number; quietMs?: number }): Promise<void>;
  /** Returns a page of the account's entries, newest first, and how many there are on all pages. */
  list(userId: string, window: { offset: number; limit: number }): Promise<AuditPage>;
  /**
   * Deletes up to `maxEntries` entries older than `before`. Goes through the accounts in the order
   * of their ids, from the one after `after`. The first call passes an empty text. Each account
   * keeps its first newer entry and all entries that follow that one.
   *
   * Returns `next`, the `after` of the next call, or null if no account is left.
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

interface AuditPage {
  entries: AuditEntry[];
  total: number;
}
