import type { Value } from './document.ts';
import type { Comparison, Filter, Operand } from './filter.ts';

/**
 * Texts that the body of every request that fits a rule contains: at least one text of each clause.
 * A search first looks these texts up in its index, and evaluates the rule only for the bodies that
 * it finds. An empty sieve excludes no body.
 *
 * A body contains a text if it has the text as received, or after its escapes are decoded
 * (`otherReadings` of `store/shared/search/search-text.ts`).
 */
export type Sieve = readonly Clause[];
type Clause = readonly string[];

/** How long a text must be for an index to find it, bytes. */
const LEAST_BYTES = 3;
const MOST_TEXTS = 20;
const MOST_CLAUSES = 4;
/** Stands for bytes that aren't UTF-8. The body itself doesn't contain this character. */
const REPLACEMENT = '\ufffd';

export function sieveOf(rule: Filter): Sieve {
  const clauses = partClauses(rule);
  return clauses.sort((a, b) => use(b) - use(a)).slice(0, MOST_CLAUSES);
}

/** Returns the clauses of a rule's conditions on the body. */
function partClauses(rule: Filter): Clause[] {
  switch (rule.kind) {
    case 'object':
      return rule.conditions.flatMap(partClauses);
    case 'and':
      return rule.filters.flatMap(partClauses);
    case 'or':
      return someOf(rule.filters.map(partClauses));
    case 'member':
      return rule.name === 'body' || rule.name === 'form' ? clausesOf(rule.filter) : [];
    default:
      return [];
  }
}

function clausesOf(filter: Filter): Clause[] {
  switch (filter.kind) {
    case 'equals':
      return textClause([filter.value]);
    case 'list':
    case 'and':
      return filter.filters.flatMap(clausesOf);
    case 'object':
      return filter.conditions.flatMap(clausesOf);
    case 'or':
      return someOf(filter.filters.map(clausesOf));
    case 'member':
      return [
        ...clausesOf(filter.filter),
        ...(needsValue(filter.filter) ? textClause([filter.name]) : []),
      ];
    case 'at':
      return clausesOf(filter.filter);
    case 'compare':
      return comparisonClause(filter.operator, filter.operand);
    default:
      return [];
  }
}

function comparisonClause(operator: Comparison, operand: Operand): Clause[] {
  if (!('value' in operand)) return [];
  const { value } = operand;
  switch (operator) {
    case '$eq':
    case '$contains':
      return textClause([value]);
    case '$in':
    case '$startsWith':
    case '$endsWith':
      return textClause(Array.isArray(value) ? value : [value]);
    default:
      return [];
  }
}

/** Returns whether a filter never fits a missing value. */
function needsValue(filter: Filter): boolean {
  switch (filter.kind) {
    case 'equals':
    case 'list':
    case 'regex':
    case 'ref':
      return true;
    case 'exist':
      return filter.expected;
    case 'compare':
      return filter.operator !== '$neq' && filter.operator !== '$nin';
    case 'and':
      return filter.filters.some(needsValue);
    case 'object':
      return filter.conditions.some(needsValue);
    case 'or':
      return filter.filters.every(needsValue);
    case 'member':
    case 'at':
      return needsValue(filter.filter);
    case 'not':
      return false;
  }
}

/**
 * Returns one clause for several alternatives. It has the most useful texts of each alternative.
 * Returns none if an alternative has no clause.
 */
function someOf(alternatives: Clause[][]): Clause[] {
  const best = alternatives.map((clauses) => clauses.sort((a, b) => use(b) - use(a))[0]);
  if (best.length === 0 || best.includes(undefined)) return [];
  return textClause(best.flatMap((clause) => clause ?? []));
}

/** Returns a clause of these texts. None if a value isn't a text that an index finds. */
export function textClause(values: readonly Value[]): Clause[] {
  const texts = values.filter(
    (value) =>
      typeof value === 'string' &&
      Buffer.byteLength(value) >= LEAST_BYTES &&
      !value.toWellFormed().includes(REPLACEMENT),
  ) as string[];
  const isWhole = texts.length === values.length && texts.length > 0;
  return isWhole && texts.length <= MOST_TEXTS ? [[...new Set(texts)]] : [];
}

/** Rates a clause. Longer texts and fewer texts exclude more bodies. */
function use(clause: Clause): number {
  return Math.min(...clause.map((text) => text.length)) / clause.length;
}
