import type { Comparison, Filter } from './filter.ts';

/** Comparisons that take every value. */
const OF_ALL: ReadonlySet<Comparison> = new Set(['$eq', '$neq']);

/** Returns whether a rule has an operator that can't take every value. See `Mismatch`. */
export function mayMismatch(filter: Filter): boolean {
  switch (filter.kind) {
    case 'regex':
      return true;
    case 'compare':
      return !OF_ALL.has(filter.operator);
    case 'list':
    case 'and':
    case 'or':
      return filter.filters.some(mayMismatch);
    case 'object':
      return filter.conditions.some(mayMismatch);
    case 'member':
    case 'at':
    case 'not':
      return mayMismatch(filter.filter);
    default:
      return false;
  }
}
