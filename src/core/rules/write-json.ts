import type { Value } from './document.ts';
import type { Filter, Operand } from './filter.ts';

/** Writes the JSON form that `readJsonRule` reads as this filter. */
export function writeJsonRule(filter: Filter): Value {
  switch (filter.kind) {
    case 'equals':
      return filter.value;
    case 'list':
      return filter.filters.map(writeJsonRule);
    case 'object':
      return objectOf(filter.conditions);
    case 'member':
      return { [memberName(filter.name)]: writeJsonRule(filter.filter) };
    case 'at':
      return { $at: { [filter.index]: writeJsonRule(filter.filter) } };
    case 'exist':
      return { $exist: filter.expected };
    case 'compare':
      return { [filter.operator]: operandValue(filter.operand) };
    case 'regex':
      return { $regex: filter.source };
    case 'and':
    case 'or':
      return { [`$${filter.kind}`]: filter.filters.map(writeJsonRule) };
    case 'not':
      return { $not: writeJsonRule(filter.filter) };
    case 'ref':
      return { $ref: filter.ref.text };
  }
}

/**
 * Writes an object. Conditions with the same name don't fit into one object, so `$and` has them.
 */
function objectOf(conditions: readonly Filter[]): Value {
  const written = conditions.map(writeJsonRule) as { [name: string]: Value }[];
  const names = written.flatMap((condition) => Object.keys(condition));
  if (new Set(names).size < names.length) return { $and: written };
  return Object.fromEntries(written.flatMap((condition) => Object.entries(condition)));
}

/** A leading backslash makes `$oid` a name instead of an operator. */
function memberName(name: string): string {
  return /^[$\\]/.test(name) ? `\\${name}` : name;
}

function operandValue(operand: Operand): Value {
  return 'value' in operand ? operand.value : { $ref: operand.ref.text };
}
