import type { AuditChanges, AuditTarget } from '../core/audit.ts';
import type { User } from '../core/model.ts';

/** Longest stored value, characters of its JSON. A longer one is cut. */
const MAX_VALUE_CHARACTERS = 500;

/** A handler's description of its change, for the audit. */
export interface AuditNote {
  target: AuditTarget;
  changes?: AuditChanges | null;
}

/** The note of a public route, which also names the caller. */
export interface PublicAuditNote extends AuditNote {
  by: { user: User; sessionId: string };
}

/**
 * Returns the members that differ between two answers of the API. Answers have masked secrets, so
 * the audit has no others. Null for `before` means that the thing is new. A missing member counts
 * as null.
 */
export function changesBetween<T extends object>(
  before: Partial<T> | null,
  after: T,
): AuditChanges {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  const changes: AuditChanges = {};
  for (const name of names) {
    const old = memberOf(before, name);
    const now = memberOf(after, name);
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[name] = [cut(old), cut(now)];
  }
  return changes;
}

function memberOf(thing: object | null, name: string): unknown {
  return (thing as Record<string, unknown> | null)?.[name] ?? null;
}

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_VALUE_CHARACTERS ? value : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`;
}
