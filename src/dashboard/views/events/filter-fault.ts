import type { ApiError } from '../../model/api-error.ts';

/** Filters that can be wrong, so their errors stand at their fields. */
const FIELD_NAMES = ['type', 'where'] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** The field that an error of the list is about; null for another error. */
export function fieldOf(error: ApiError, values: Record<FieldName, string>): FieldName | null {
  if (error.code === 'search_too_long') return values.where === '' ? null : 'where';
  return FIELD_NAMES.find((name) => error.issues.some(({ path }) => path === name)) ?? null;
}

/** What is wrong with a field, for the person who filled it in. */
export function faultText(error: ApiError, name: FieldName): string {
  if (error.code === 'search_too_long') {
    return 'The search took too long. Choose a shorter time, or add a text, type or status.';
  }
  return error.issues
    .filter(({ path }) => path === name)
    .map(({ message }) => message)
    .join('; ');
}
