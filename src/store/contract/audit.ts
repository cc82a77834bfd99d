import type { AuditEntry } from '../../core/audit.ts';

/** The changes that each account made, in the order in which they were added. */
export interface AuditStore {
  /**
   * Adds an entry. The account keeps its newest `most` entries.
   *
   * With `quietMs`, adds nothing if the last `quietMs` have an entry of the same action.
   */
  add(entry: NewAuditEntry, terms: { most: number; quietMs?: number }): Promise<void>;
  /** A page of the account's entries, newest first, and their number on all pages. */
  list(userId: string, window: { offset: number; limit: number }): Promise<AuditPage>;
  /**
   * Deletes up to `maxEntries` entries older than `before`, account by account in the order
   * of ids. Starts after the account `after`; the first call passes an empty text. Each
   * account keeps its first newer entry and all that follow it. `next` is the `after` of
   * the next call; null when no account is left.
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
