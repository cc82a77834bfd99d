import type { ApiError } from '../../model/api-error.ts';

/** Filters whose text may be wrong. The error then stands at their fields. */
const FIELD_NAMES = ['type', 'where'] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** Returns the field that the list's error is about, or null if it is about none. */
export function fieldOf(error: ApiError, values: Record<FieldName, string>): FieldName | null {
  if (error.code === 'search_too_long') return values.where === '' ? null : 'where';
  return FIELD_NAMES.find((name) => error.issues.some(({ path }) => path === name)) ?? null;
}

/** Says what is wrong with a field, in words for the user who filled it in. */
export function faultText(error: ApiError, name: FieldName): string {
  if (error.code === 'search_too_long') {
    return 'The search took too long. Choose a shorter time, or add a text, type or status.';
  }
  return error.issues
    .filter(({ path }) => path === name)
    .map(({ message }) => message)
    .join('; ');
}
