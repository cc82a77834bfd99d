import type { AuditEntry } from '../../core/audit.ts';

/** The audit entries of each account. */
export interface AuditStore {
  /**
   * Adds an entry. The account keeps its newest `most` entries. Adds nothing if the account has an
   * entry of the same action from the last `quietMs`.
   */
  add(entry: NewAuditEntry, terms: { most: number; quietMs?: number }): Promise<void>;
  /** Returns a page of the account's entries, newest first, with the total number of entries. */
  list(userId: string, window: { offset: number; limit: number }): Promise<AuditPage>;
  /**
   * Deletes up to `maxEntries` entries older than `before`. Covers the accounts with ids greater
   * than `after`, in order. The first call passes an empty text. Each account keeps its first newer
   * entry and everything that follows this entry.
   *
   * Returns `next`, which is `after` for the next call. `next` is null when no account is left.
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
