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
import type { Database, Sql } from '../connection/database.ts';
import { lockAccount, takeDuty } from '../connection/locks.ts';
import { storableRow } from '../connection/storable.ts';

export function postgresAudit(db: Database): AuditStore {
  return {
    add: (...args) => db.transaction((sql) => addEntry(sql, ...args)),

    list: (userId, { offset, limit }) =>
      db.one(async (sql) => {
        const numbers = await numbersOf(sql, userId);
        if (!numbers) return { entries: [], total: 0 };
        const rows = await sql.rows<AuditRow>(
          `SELECT ${SHOWN_ENTRY.read('a')} FROM audit_entries a
           WHERE a.user_id = $1 AND a.number <= $2 ORDER BY a.number DESC LIMIT $3`,
          [userId, numbers.newest - offset, limit],
        );
        return { entries: rows.map(auditEntryOf), total: numbers.newest - numbers.oldest + 1 };
      }),

    // One node at a time runs a slice. Meanwhile the other nodes delete nothing.
    retireSlice: (before, after, maxEntries) =>
      db.transaction(async (sql) => {
        if (!(await takeDuty(sql, 'audit'))) return { removed: 0, next: null };
        const accounts = await sql.rows<{ id: string; oldestAt: number | null }>(
          `SELECT u.id, (SELECT a.at FROM audit_entries a WHERE a.user_id = u.id
             ORDER BY a.number LIMIT 1) AS "oldestAt"
           FROM users u WHERE u.id > $1 ORDER BY u.id LIMIT ${ACCOUNTS_PER_SLICE}`,
          [after],
        );
        let removed = 0;
        let done = after;
        for (const { id, oldestAt } of accounts) {
          if (oldestAt !== null && oldestAt < before) {
            removed += await retireOf(sql, id, before, maxEntries - removed);
          }
          if (removed >= maxEntries) return { removed, next: done };
          done = id;
        }
        return { removed, next: accounts.length < ACCOUNTS_PER_SLICE ? null : done };
      }),
  };
}

/** Adds an entry in the caller's transaction. */
export async function addEntry(
  sql: Sql,
  entry: NewAuditEntry,
  { most, quietMs = 0 }: { most: number; quietMs?: number },
): Promise<void> {
  const { userId, action, at } = entry;
  // Without the lock, two nodes could take the same number.
  await lockAccount(sql, userId);
  if (quietMs > 0 && (await hasRecent(sql, userId, action, at - quietMs, at))) return;
  const number = ((await numbersOf(sql, userId))?.newest ?? 0) + 1;
  await sql.run(
    `INSERT INTO audit_entries (${AUDIT_ENTRY.names}) VALUES (${AUDIT_ENTRY.numbers()})`,
    AUDIT_ENTRY.values(storableRow(auditRowOf(entry, number))),
  );
  await dropUpTo(sql, userId, number - most);
}

async function retireOf(
  sql: Sql,
  userId: string,
  before: number,
  maxEntries: number,
): Promise<number> {
  const oldest = await sql.rows<{ number: number; at: number }>(
    'SELECT number, at FROM audit_entries WHERE user_id = $1 ORDER BY number LIMIT $2',
    [userId, maxEntries],
  );
  const last = lastExpired(oldest, before);
  return last === null ? 0 : dropUpTo(sql, userId, last);
}

/** Returns the numbers of the account's oldest and newest entry, or null if it has no entry. */
async function numbersOf(
  sql: Sql,
  userId: string,
): Promise<{ oldest: number; newest: number } | null> {
  const [numbers] = await sql.rows<{ oldest: number | null; newest: number | null }>(
    'SELECT min(number) AS oldest, max(number) AS newest FROM audit_entries WHERE user_id = $1',
    [userId],
  );
  const { oldest = null, newest = null } = numbers ?? {};
  return oldest === null || newest === null ? null : { oldest, newest };
}

async function hasRecent(
  sql: Sql,
  userId: string,
  action: string,
  from: number,
  to: number,
): Promise<boolean> {
  const found = await sql.rows(
    `SELECT 1 FROM (SELECT action, at FROM audit_entries WHERE user_id = $1
       ORDER BY number DESC LIMIT ${QUIET_ENTRIES}) newest
     WHERE action = $2 AND at > $3 AND at <= $4`,
    [userId, action, from, to],
  );
  return found.length > 0;
}

function dropUpTo(sql: Sql, userId: string, number: number): Promise<number> {
  return sql.run('DELETE FROM audit_entries WHERE user_id = $1 AND number <= $2', [userId, number]);
}
