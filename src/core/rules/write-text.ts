import { endOfBare, isOrderSign, isTypedRoot, isTypedText } from '../text/rule-spelling.ts';
import { isNumber, type Scalar, type Value, writeDocument } from './document.ts';
import type { Comparison, Filter } from './filter.ts';
import { EVERY, type PathStep, pathText } from './path.ts';

/** How tightly the surrounding expression binds. It decides whether a text needs parentheses. */
const LOOSE = 0;
const IN_OR = 1;
const IN_AND = 2;
const IN_NOT = 3;

/** The signs of comparisons in the text form. It lacks the other comparisons. */
const SIGNS: Partial<Record<Comparison, string>> = {
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
  $contains: '*=',
  $startsWith: '^=',
  $endsWith: '$=',
};

/**
 * Writes the text form that `readTextRule` reads as this filter. Returns null if only the JSON form
 * can express the filter: `$ref`, several conditions for one element, objects as values.
 */
export function writeTextRule(filter: Filter): string | null {
  return written(filter, LOOSE);
}

function written(filter: Filter, around: number): string | null {
  switch (filter.kind) {
    case 'or':
      return joined(filter.filters, ' or ', IN_OR, around);
    case 'and':
      return joined(filter.filters, ' and ', IN_AND, around);
    case 'object':
      return joined(filter.conditions, ' and ', IN_AND, around);
    case 'not':
      return negated(filter.filter, around);
    case 'member':
      return condition(filter, '=');
    default:
      return null;
  }
}

function joined(
  filters: readonly Filter[],
  word: string,
  inside: number,
  around: number,
): string | null {
  const [only] = filters;
  if (only && filters.length === 1) return written(only, around);
  const texts = filters.map((filter) => written(filter, inside));
  if (texts.length === 0 || texts.includes(null)) return null;
  const text = texts.join(word);
  return around > inside - 1 ? `(${text})` : text;
}

function negated(filter: Filter, around: number): string | null {
  const only = unwrapped(filter);
  const unequal = only.kind === 'member' ? condition(only, '!=') : null;
  if (unequal !== null) return unequal;
  const text = written(only, IN_NOT);
  return text === null || around > IN_NOT ? null : `not ${text}`;
}

/**
 * Writes a condition at the end of one path. With `!=`, it writes only equalities, and returns null
 * for other conditions.
 */
function condition(filter: Filter, equal: '=' | '!='): string | null {
  const steps: PathStep[] = [];
  let leaf = filter;
  for (let next = inner(leaf); next; next = inner(leaf)) {
    steps.push(next.step);
    leaf = next.filter;
  }
  if (steps[0] === 'headers') steps[0] = 'header';
  const path = pathText(steps);
  const root = steps[0] as string;
  if (leaf.kind === 'equals') return joinedTexts(path, equal, literal(root, leaf.value, {}));
  if (equal === '!=') return null;
  if (leaf.kind === 'regex') return `${path}~=${textLiteral(leaf.source)}`;
  if (leaf.kind === 'exist') return leaf.expected ? `${path}?` : null;
  if (leaf.kind !== 'compare' || !('value' in leaf.operand)) return null;
  return comparison(path, root, leaf.operator, leaf.operand.value);
}

function comparison(
  path: string,
  root: string,
  operator: Comparison,
  operand: Value,
): string | null {
  if (operator === '$in') {
    if (!Array.isArray(operand)) return null;
    const values = (operand as Scalar[]).map((value) => literal(root, value, { separator: ',' }));
    return values.includes(null) ? null : `${path} in (${values.join(', ')})`;
  }
  const sign = SIGNS[operator];
  if (!sign || Array.isArray(operand)) return null;
  const isText = operator === '$startsWith' || operator === '$endsWith';
  const value = isText
    ? textLiteral(operand as string)
    : literal(root, operand as Scalar, { sign });
  return joinedTexts(path, sign, value);
}

function joinedTexts(path: string, sign: string, value: string | null): string | null {
  return value === null ? null : `${path}${sign}${value}`;
}

/** Returns the next step along a path. Null at its end. */
function inner(filter: Filter): { step: PathStep; filter: Filter } | null {
  const only = unwrapped(filter);
  if (only.kind === 'member') return { step: only.name, filter: only.filter };
  if (only.kind === 'at') return { step: only.index, filter: only.filter };
  const [element, ...others] = only.kind === 'list' ? only.filters : [];
  return element && others.length === 0 ? { step: EVERY, filter: element } : null;
}

/**
 * Returns the only condition of an object, also of an object within it. Returns any other filter
 * unchanged.
 */
export function unwrapped(filter: Filter): Filter {
  const [only, ...others] = filter.kind === 'object' ? filter.conditions : [];
  return only && others.length === 0 ? unwrapped(only) : filter;
}

/** Writes a value. Returns null if the text form can't express it. */
function literal(
  root: string,
  value: Scalar,
  { sign = '', separator = '' }: { sign?: string; separator?: string },
): string | null {
  if (typeof value === 'string') {
    return isTypedText(value, root, sign) ? JSON.stringify(value) : textLiteral(value, separator);
  }
  return isTypedRoot(root) || (isNumber(value) && isOrderSign(sign)) ? writeDocument(value) : null;
}

function textLiteral(text: string, separator = ''): string {
  // A leading sign would become part of the operator. An open parenthesis would take the next `)`.
  const isBare = /^[^"'=<>]/.test(text) && endOfBare(`${text})`, 0, separator) === text.length;
  return isBare ? text : JSON.stringify(text);
}
