import { AUDIT_MAX_ENTRIES, type AuditChanges, type AuditEntry } from '../../../core/audit.ts';
import { newId } from '../../../core/ids.ts';
import { parseDocument } from '../../../core/rules/document.ts';
import type { NewAuditEntry } from '../../contract/audit.ts';
import { Columns, type RowOf } from '../columns.ts';

/** The number of accounts that one slice of the retirement reads. */
export const ACCOUNTS_PER_SLICE = 100;
/** The number of newest entries that `quietMs` searches for one with the same action. */
export const QUIET_ENTRIES = 100;
/** The terms for entries of operator commands. */
export const OPERATOR_TERMS = { most: AUDIT_MAX_ENTRIES };

export const AUDIT_ENTRY = new Columns({
  userId: 'text',
  /** The entry's number among all entries that the account has ever had. */
  number: 'bigint',
  id: 'text',
  at: 'bigint',
  action: 'text',
  /** JSON. */
  actor: 'text',
  /** JSON. */
  target: 'text',
  /** JSON. */
  changes: 'text?',
});
export const SHOWN_ENTRY = AUDIT_ENTRY.without('userId', 'number');
export type AuditRow = RowOf<typeof SHOWN_ENTRY>;

export function auditEntryOf({ id, at, action, actor, target, changes }: AuditRow): AuditEntry {
  return {
    id,
    at,
    actor: JSON.parse(actor),
    // The action may be unknown, because a newer program may have written it. It is shown
    // unchanged.
    action: action as AuditEntry['action'],
    target: JSON.parse(target),
    // `parseDocument` keeps every digit of a rule's numbers.
    changes: changes === null ? null : (parseDocument(changes) as unknown as AuditChanges),
  };
}

export function auditRowOf(entry: NewAuditEntry, number: number): RowOf<typeof AUDIT_ENTRY> {
  return {
    ...entry,
    number,
    actor: JSON.stringify(entry.actor),
    target: JSON.stringify(entry.target),
    changes: entry.changes && JSON.stringify(entry.changes),
  };
}

/** Returns the audit entry of a change by an operator's command. */
export function operatorEntry(
  action: NewAuditEntry['action'],
  account: { id: string; email: string },
  now: number,
  changes: AuditChanges | null = null,
): NewAuditEntry {
  return {
    id: newId('aud', now),
    userId: account.id,
    at: now,
    actor: { type: 'system', id: null, name: 'operator', address: null },
    action,
    target: { type: 'account', id: account.id, name: account.email },
    changes,
  };
}

/**
 * Returns the number of the last leading entry older than `before`, or null. `oldest` is in order.
 */
export function lastExpired(
  oldest: Iterable<{ number: number; at: number }>,
  before: number,
): number | null {
  let last: number | null = null;
  for (const { number, at } of oldest) {
    if (at >= before) break;
    last = number;
  }
  return last;
}
