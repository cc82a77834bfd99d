import type { Database } from 'better-sqlite3';
import type { AuditPage, AuditStore, NewAuditEntry } from '../../contract/audit.ts';
import {
  ACCOUNTS_PER_SLICE,
  AUDIT_ENTRY,
  type AuditRow,
  auditEntryOf,
  auditRowOf,
  lastExpired,
  QUIET_ENTRIES,
  SHOWN_ENTRY,
} from '../../shared/accounts/audit-rows.ts';
import type { Writer } from '../files/writer.ts';

export class SqliteAudit implements AuditStore {
  readonly #db: Database;
  readonly #writer: Writer;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  add(entry: NewAuditEntry, terms: { most: number; quietMs?: number }): Promise<void> {
    return this.#writer.write(() => this.addNow(entry, terms));
  }

  /** Adds an entry in the caller's transaction. */
  addNow(
    entry: NewAuditEntry,
    { most, quietMs = 0 }: { most: number; quietMs?: number | undefined },
  ): void {
    const { userId, action, at } = entry;
    if (quietMs > 0 && this.#hasRecent(userId, action, at - quietMs, at)) return;
    const number = (this.#numbers(userId)?.newest ?? 0) + 1;
    this.#db
      .prepare(`
        INSERT INTO audit_entries (${AUDIT_ENTRY.names}) VALUES (${AUDIT_ENTRY.marks})`)
      .run(AUDIT_ENTRY.values(auditRowOf(entry, number)));
    this.#dropUpTo(userId, number - most);
  }

  async list(
    userId: string,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<AuditPage> {
    const numbers = this.#numbers(userId);
    if (!numbers) return { entries: [], total: 0 };
    const rows = this.#db
      .prepare<[string, number, number], AuditRow>(`
        SELECT ${SHOWN_ENTRY.read('a')} FROM audit_entries a
        WHERE a.user_id = ? AND a.number <= ? ORDER BY a.number DESC LIMIT ?`)
      .all(userId, numbers.newest - offset, limit);
    return { entries: rows.map(auditEntryOf), total: numbers.newest - numbers.oldest + 1 };
  }

  async retireSlice(
    before: number,
    after: string,
    maxEntries: number,
  ): Promise<{ removed: number; next: string | null }> {
    const accounts = this.#db
      .prepare<[string], string>(
        `SELECT id FROM users WHERE id > ? ORDER BY id LIMIT ${ACCOUNTS_PER_SLICE}`,
      )
      .pluck()
      .all(after);
    const oldest = this.#db.prepare<[string, number], { number: number; at: number }>(
      'SELECT number, at FROM audit_entries WHERE user_id = ? ORDER BY number LIMIT ?',
    );
    let removed = 0;
    let done = after;
    for (const userId of accounts) {
      const left = maxEntries - removed;
      const last = lastExpired(oldest.iterate(userId, left), before);
      if (last !== null) removed += await this.#writer.write(() => this.#dropUpTo(userId, last));
      if (removed >= maxEntries) return { removed, next: done };
      done = userId;
    }
    return { removed, next: accounts.length < ACCOUNTS_PER_SLICE ? null : done };
  }

  /** The numbers of the account's oldest and newest entry; null when it has none. */
  #numbers(userId: string): { oldest: number; newest: number } | null {
    const numbers = this.#db
      .prepare<[{ userId: string }], { oldest: number | null; newest: number | null }>(`
        SELECT (SELECT min(number) FROM audit_entries WHERE user_id = @userId) AS oldest,
          (SELECT max(number) FROM audit_entries WHERE user_id = @userId) AS newest`)
      .get({ userId });
    const { oldest = null, newest = null } = numbers ?? {};
    return oldest === null || newest === null ? null : { oldest, newest };
  }

  #hasRecent(userId: string, action: string, from: number, to: number): boolean {
    const found = this.#db
      .prepare(`
        SELECT 1 FROM (SELECT action, at FROM audit_entries WHERE user_id = ?
          ORDER BY number DESC LIMIT ${QUIET_ENTRIES})
        WHERE action = ? AND at > ? AND at <= ?`)
      .get(userId, action, from, to);
    return found !== undefined;
  }

  #dropUpTo(userId: string, number: number): number {
    return this.#db
      .prepare('DELETE FROM audit_entries WHERE user_id = ? AND number <= ?')
      .run(userId, number).changes;
  }
}
