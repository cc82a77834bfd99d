import type { Value } from './document.ts';
import type { Comparison, Filter, Operand } from './filter.ts';

/**
 * Texts that the body of every fitting request contains: at least one text of each clause. A search
 * looks them up in its index before it evaluates the rule. An empty sieve excludes no body.
 *
 * A body contains a text as received, or with its escapes decoded (`otherReadings` of
 * `store/shared/search/search-text.ts`).
 */
export type Sieve = readonly Clause[];
type Clause = readonly string[];

/** An index can't find shorter texts. */
const LEAST_BYTES = 3;
const MOST_TEXTS = 20;
const MOST_CLAUSES = 4;
/** Replaces bytes that aren't UTF-8, so the body doesn't contain it. */
const REPLACEMENT = '\ufffd';

export function sieveOf(rule: Filter): Sieve {
  const clauses = partClauses(rule);
  return clauses.sort((a, b) => use(b) - use(a)).slice(0, MOST_CLAUSES);
}

/** The clauses of a rule's conditions on the body. */
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

/** Whether a filter never fits a missing value. */
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

/** One clause for several alternatives: the best texts of each. */
function someOf(alternatives: Clause[][]): Clause[] {
  const best = alternatives.map((clauses) => clauses.sort((a, b) => use(b) - use(a))[0]);
  if (best.length === 0 || best.includes(undefined)) return [];
  return textClause(best.flatMap((clause) => clause ?? []));
}

/** A clause of these texts. None where a value isn't a text that an index finds. */
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

/** Longer texts exclude more bodies. */
function use(clause: Clause): number {
  return Math.min(...clause.map((text) => text.length)) / clause.length;
}
