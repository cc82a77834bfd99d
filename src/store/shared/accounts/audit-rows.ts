import { AUDIT_MAX_ENTRIES, type AuditChanges, type AuditEntry } from '../../../core/audit.ts';
import { newId } from '../../../core/ids.ts';
import { parseDocument } from '../../../core/rules/document.ts';
import type { NewAuditEntry } from '../../contract/audit.ts';
import { Columns, type RowOf } from '../columns.ts';

/** How many accounts one slice of the retirement reads. */
export const ACCOUNTS_PER_SLICE = 100;
/** How many of the newest entries `quietMs` searches for one of the same action. */
export const QUIET_ENTRIES = 100;
/** The terms by which an operator's commands add entries. */
export const OPERATOR_TERMS = { most: AUDIT_MAX_ENTRIES };

export const AUDIT_ENTRY = new Columns({
  userId: 'text',
  /** The position of the entry among all that the account has ever had. */
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
    // A newer program may have written an unknown action. It is shown as it is.
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

/** Returns the audit entry of a change that an operator made with a command. */
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
 * Returns the last of the leading entries that are older than `before`. The oldest entry comes
 * first.
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
