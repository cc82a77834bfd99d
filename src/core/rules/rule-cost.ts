import type { Filter, Operand } from './filter.ts';
import { EVERY } from './path.ts';

/** A comparison costs this share of a step of a regular expression, for each byte of a request. */
const COMPARISON = 1 / 8;
/** A reference to every element may compare each element with all others. */
const REFERENCE_TO_EVERY = 1000;

/**
 * The most work that judging takes for each byte of a request, in steps of regular
 * expressions. A step takes about 20 ns.
 */
export function ruleCost(filter: Filter): number {
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
      return ruleCost(filter.filter);
    case 'compare':
      return operandCost(filter.operand);
    case 'ref':
      return operandCost({ ref: filter.ref });
    case 'equals':
    case 'exist':
      return COMPARISON;
  }
}

function operandCost(operand: Operand): number {
  if ('ref' in operand) {
    return operand.ref.steps.includes(EVERY) ? REFERENCE_TO_EVERY : COMPARISON;
  }
  return COMPARISON * (Array.isArray(operand.value) ? operand.value.length : 1);
}

function sumOf(filters: readonly Filter[]): number {
  return filters.reduce((sum, filter) => sum + ruleCost(filter), 0);
}
