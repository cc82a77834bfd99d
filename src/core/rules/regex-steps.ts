import type { Filter } from './filter.ts';

/**
 * Returns the number of compiled steps in all regular expressions of a rule. They use most of the
 * rule's memory.
 */
export function regexSteps(filter: Filter): number {
  switch (filter.kind) {
    case 'regex':
      return filter.regex.programSize();
    case 'and':
    case 'or':
    case 'list':
      return sumOf(filter.filters);
    case 'object':
      return sumOf(filter.conditions);
    case 'member':
    case 'at':
    case 'not':
      return regexSteps(filter.filter);
    default:
      return 0;
  }
}

function sumOf(filters: readonly Filter[]): number {
  return filters.reduce((sum, filter) => sum + regexSteps(filter), 0);
}
