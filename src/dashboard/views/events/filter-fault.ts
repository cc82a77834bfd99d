import type { ApiError } from '../../model/api-error.ts';

/** Filters whose text may be wrong. Their fields then show the error. */
const FIELD_NAMES = ['type', 'where'] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** Returns the field that causes the list's error, or null if no field does. */
export function fieldOf(error: ApiError, values: Record<FieldName, string>): FieldName | null {
  if (error.code === 'search_too_long') return values.where === '' ? null : 'where';
  return FIELD_NAMES.find((name) => error.issues.some(({ path }) => path === name)) ?? null;
}

/** Returns a field's fault in words for the user. */
export function faultText(error: ApiError, name: FieldName): string {
  if (error.code === 'search_too_long') {
    return 'The search took too long. Choose a shorter time, or add a text, type or status.';
  }
  return error.issues
    .filter(({ path }) => path === name)
    .map(({ message }) => message)
    .join('; ');
}
