/** A changed member in the cause of a drift. */
export interface MemberChange {
  /** The path, such as `body.customer.city`. */
  path: string;
  /** The previous kind, such as `a string or null`; null if the member is new. */
  before: string | null;
  /** The new kind, such as `a number`, `missing` or `new`. */
  now: string;
}

const KIND = '(?:null|an? \\w+)';
const CHANGE = new RegExp(
  `^(.+) is (missing|new|${KIND})(?: \\(was (${KIND}(?: or ${KIND})*)\\))?$`,
);

/**
 * Parses the members in the cause of a drift: `… differ from those before: body.total is a number
 * (was a string); …`. Returns no members if the text has another form, which an odd member name can
 * cause.
 */
export function driftChanges(cause: string): { members: MemberChange[]; more: number } {
  const [, list] = /differ from those before: (.+)\.$/.exec(cause) ?? [];
  const none = { members: [], more: 0 };
  if (list === undefined) return none;
  const members: MemberChange[] = [];
  let more = 0;
  for (const part of list.split('; ')) {
    const others = /^and (\d+) more$/.exec(part)?.[1];
    const [, path, now, before] = CHANGE.exec(part) ?? [];
    if (others !== undefined) more = Number(others);
    else if (path !== undefined && now !== undefined) {
      members.push({ path, before: before ?? null, now });
    } else return none;
  }
  return { members, more };
}
