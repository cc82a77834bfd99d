import { type ApiError, isAbout } from '../model/api-error.ts';

/**
 * What an answer says is wrong with a field, or with a part of it: issues of
 * `retry.schedule.1` belong to the field `retry.schedule`. Null for a good field.
 */
export function faultAt(error: ApiError | null, path: string): string | null {
  const texts = (error?.issues ?? [])
    .filter((issue) => isAbout(issue, [path]))
    .map((issue) => partText(issue.path.slice(path.length + 1)) + issue.message);
  return texts.length === 0 ? null : [...new Set(texts)].join('; ');
}

/** What is wrong with the field itself; faults of its parts stand at them. */
export function ownFaultAt(error: ApiError | null, path: string): string | null {
  const own = error?.issues.filter((issue) => issue.path === path) ?? [];
  return own.length === 0 ? null : own.map(({ message }) => message).join('; ');
}

/**
 * Whether each fault of an answer stands at one of the fields, so that the form itself has
 * nothing to say.
 *
 * @param fields paths
 */
export function isAtFields(error: ApiError | null, fields: readonly string[]): boolean {
  const issues = error?.issues ?? [];
  return issues.length > 0 && issues.every((issue) => isAbout(issue, fields));
}

function partText(part: string): string {
  if (part === '') return '';
  return /^\d+$/.test(part) ? `entry ${Number(part) + 1}: ` : `${part}: `;
}
