import type { Filter } from './filter.ts';

/** Compiled steps of all regular expressions of a rule. They are most of its memory. */
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
