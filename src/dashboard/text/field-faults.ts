import { type ApiError, isAbout } from '../model/api-error.ts';

/**
 * Returns the faults of a field and of its parts: `retry.schedule.1` is a part of `retry.schedule`.
 * Returns null if there is no fault.
 */
export function faultAt(error: ApiError | null, path: string): string | null {
  const texts = (error?.issues ?? [])
    .filter((issue) => isAbout(issue, [path]))
    .map((issue) => partText(issue.path.slice(path.length + 1)) + issue.message);
  return texts.length === 0 ? null : [...new Set(texts)].join('; ');
}

/** Returns the faults of the field itself, without the faults of its parts. */
export function ownFaultAt(error: ApiError | null, path: string): string | null {
  const own = error?.issues.filter((issue) => issue.path === path) ?? [];
  return own.length === 0 ? null : own.map(({ message }) => message).join('; ');
}

/**
 * Returns whether each fault of an answer belongs to one of these fields. The form itself then
 * needs no message.
 */
export function isAtFields(error: ApiError | null, fields: readonly string[]): boolean {
  const issues = error?.issues ?? [];
  return issues.length > 0 && issues.every((issue) => isAbout(issue, fields));
}

function partText(part: string): string {
  if (part === '') return '';
  return /^\d+$/.test(part) ? `entry ${Number(part) + 1}: ` : `${part}: `;
}
