export interface ChangedMember {
  /** For example `retry.attempts`. */
  path: string;
  /** Null if there was no value. */
  before: string | null;
  /** Null if the value was removed. */
  after: string | null;
}

/** At most this many members of one change are shown. */
export const MOST_MEMBERS = 40;

/** Returns the members that an audit entry changed. Compares objects member by member. */
export function changedMembers(
  changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null,
): ChangedMember[] {
  const members: ChangedMember[] = [];
  for (const [field, [before, after]] of Object.entries(changes ?? {})) {
    add(members, field, before, after);
  }
  return members;
}

function add(members: ChangedMember[], path: string, before: unknown, after: unknown): void {
  const [from, to] = [membersOf(before), membersOf(after)];
  if (from && to && (isRecord(before) || isRecord(after))) {
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      add(members, `${path}.${name}`, from[name], to[name]);
    }
    return;
  }
  const member = { path, before: textOf(before), after: textOf(after) };
  // A changed secret may have the same masked value before and after.
  if (member.before !== member.after || !path.includes('.')) members.push(member);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns the members of an object. Returns an empty object without a value, and null if the value
 * isn't an object.
 */
function membersOf(value: unknown): Record<string, unknown> | null {
  if (value === null || value === undefined) return {};
  return isRecord(value) ? value : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
