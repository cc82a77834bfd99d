import type { Database } from 'better-sqlite3';
import type { AuditStore, NewAuditEntry } from '../../contract/audit.ts';
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

export function sqliteAudit(db: Database, writer: Writer): AuditStore {
  return {
    add: (...args) => writer.write(() => addEntry(db, ...args)),

    async list(userId, { offset, limit }) {
      const numbers = numbersOf(db, userId);
      if (!numbers) return { entries: [], total: 0 };
      const rows = db
        .prepare<[string, number, number], AuditRow>(`
          SELECT ${SHOWN_ENTRY.read('a')} FROM audit_entries a
          WHERE a.user_id = ? AND a.number <= ? ORDER BY a.number DESC LIMIT ?`)
        .all(userId, numbers.newest - offset, limit);
      return { entries: rows.map(auditEntryOf), total: numbers.newest - numbers.oldest + 1 };
    },

    async retireSlice(before, after, maxEntries) {
      const accounts = db
        .prepare<[string], string>(
          `SELECT id FROM users WHERE id > ? ORDER BY id LIMIT ${ACCOUNTS_PER_SLICE}`,
        )
        .pluck()
        .all(after);
      const oldest = db.prepare<[string, number], { number: number; at: number }>(
        'SELECT number, at FROM audit_entries WHERE user_id = ? ORDER BY number LIMIT ?',
      );
      let removed = 0;
      let done = after;
      for (const userId of accounts) {
        const left = maxEntries - removed;
        const last = lastExpired(oldest.iterate(userId, left), before);
        if (last !== null) removed += await writer.write(() => dropUpTo(db, userId, last));
        if (removed >= maxEntries) return { removed, next: done };
        done = userId;
      }
      return { removed, next: accounts.length < ACCOUNTS_PER_SLICE ? null : done };
    },
  };
}

/** Adds an entry. Runs in the caller's transaction. */
export function addEntry(
  db: Database,
  entry: NewAuditEntry,
  { most, quietMs = 0 }: { most: number; quietMs?: number },
): void {
  const { userId, action, at } = entry;
  if (quietMs > 0 && hasRecent(db, userId, action, at - quietMs, at)) return;
  const number = (numbersOf(db, userId)?.newest ?? 0) + 1;
  db.prepare(`INSERT INTO audit_entries (${AUDIT_ENTRY.names}) VALUES (${AUDIT_ENTRY.marks})`).run(
    AUDIT_ENTRY.values(auditRowOf(entry, number)),
  );
  dropUpTo(db, userId, number - most);
}

/** Returns the numbers of the account's oldest and newest entry, or null if it has none. */
function numbersOf(db: Database, userId: string): { oldest: number; newest: number } | null {
  const numbers = db
    .prepare<[{ userId: string }], { oldest: number | null; newest: number | null }>(`
      SELECT (SELECT min(number) FROM audit_entries WHERE user_id = @userId) AS oldest,
        (SELECT max(number) FROM audit_entries WHERE user_id = @userId) AS newest`)
    .get({ userId });
  const { oldest = null, newest = null } = numbers ?? {};
  return oldest === null || newest === null ? null : { oldest, newest };
}

function hasRecent(
  db: Database,
  userId: string,
  action: string,
  from: number,
  to: number,
): boolean {
  const found = db
    .prepare(`
      SELECT 1 FROM (SELECT action, at FROM audit_entries WHERE user_id = ?
        ORDER BY number DESC LIMIT ${QUIET_ENTRIES})
      WHERE action = ? AND at > ? AND at <= ?`)
    .get(userId, action, from, to);
  return found !== undefined;
}

function dropUpTo(db: Database, userId: string, number: number): number {
  const drop = db.prepare('DELETE FROM audit_entries WHERE user_id = ? AND number <= ?');
  return drop.run(userId, number).changes;
}
