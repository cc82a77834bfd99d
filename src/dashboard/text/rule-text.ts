import { isTypedText } from '../../core/text/rule-spelling.ts';

/** The operators of a condition: their signs and words. */
export const OPERATORS = [
  ['=', 'is'],
  ['!=', 'is not'],
  ['*=', 'contains'],
  ['^=', 'begins with'],
  ['$=', 'ends with'],
  ['~=', 'matches (RE2)'],
  ['>=', 'at least'],
  ['<=', 'at most'],
  ['>', 'above'],
  ['<', 'below'],
  ['?', 'is there'],
] as const;
export type Operator = (typeof OPERATORS)[number][0];

/** A value that needs no quotes. */
const BARE = /^[\p{L}\p{N}_./:@+-]+$/u;
/** Operators that compare texts only, so that `42` needs no quotes. */
const OF_TEXTS: ReadonlySet<Operator> = new Set(['^=', '$=', '~=']);

/** The tokens that decide where a condition ends. */
const TOKENS = /"(?:[^"\\]|\\.)*"|'[^']*'|[()]|(?<=[\s)])(?:and|or)(?=[\s(])/gi;

/**
 * Returns a value in a rule's syntax.
 *
 * @param isText whether the member is known to be a text. A value such as `42` then needs quotes.
 */
export function valueText(value: string, isText: boolean): string {
  const needsQuotes = !BARE.test(value) || (isText && isTypedText(value, 'body'));
  return needsQuotes ? JSON.stringify(value) : value;
}

/** A condition of a rule. A value in quotes stays as it is. */
export function conditionText(
  member: string,
  operator: Operator,
  value: string,
  isText = false,
): string {
  if (operator === '?') return `${member}?`;
  const isQuoted = /^"(?:[^"\\]|\\.)*"$/.test(value);
  const text = isQuoted ? value : valueText(value, isText && !OF_TEXTS.has(operator));
  return `${member}${operator}${text}`;
}

/** Whether a rule is in the JSON form, which conditions can't be added to as text. */
export const isJsonRule = (rule: string): boolean => rule.trimStart().startsWith('{');

/**
 * Splits a rule into conditions that must all hold. A rule in the JSON form, or with an `or` at the
 * top level, is one condition.
 */
export function conditionsOf(rule: string): string[] {
  const whole = rule.trim();
  if (whole === '') return [];
  if (isJsonRule(whole)) return [whole];
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (const { 0: token, index } of whole.matchAll(TOKENS)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0 && /^(?:and|or)$/i.test(token) && !isValue(whole, index)) {
      if (token.toLowerCase() === 'or') return [whole];
      parts.push(whole.slice(from, index).trim());
      from = index + token.length;
    }
  }
  return [...parts, whole.slice(from).trim()];
}

/** Whether the word at a place is an operator's value: `body.a = and`. */
const isValue = (rule: string, at: number) => /[=<>]\s*$/.test(rule.slice(0, at));

/** A rule of conditions that all must hold. */
export const ruleOf = (conditions: readonly string[]): string => conditions.join(' and ');

/** A rule that also demands a condition. */
export function withCondition(rule: string, condition: string): string {
  const conditions = conditionsOf(rule);
  if (conditions.length === 0) return condition;
  if (conditions.length > 1) return ruleOf([...conditions, condition]);
  const [only] = conditions as [string];
  // An `or` binds less tightly than the `and` that is added.
  return /\sor[\s(]/i.test(only) ? `(${only}) and ${condition}` : `${only} and ${condition}`;
}
