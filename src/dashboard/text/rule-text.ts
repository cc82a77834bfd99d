import { isOrderSign, isTypedText } from '../../core/text/rule-spelling.ts';

/** The operators of a condition, as signs and in words. */
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
/** Operators that compare only texts. A value such as `42` needs no quotes after them. */
const OF_TEXTS: ReadonlySet<Operator> = new Set(['^=', '$=', '~=']);

/** The tokens that decide where a condition ends. */
const TOKENS = /"(?:[^"\\]|\\.)*"|'[^']*'|[()]|(?<=[\s)])(?:and|or)(?=[\s(])/gi;

/**
 * Returns a value in a rule's syntax.
 *
 * @param isText whether the member is always a text. A value such as `42` then needs quotes.
 */
export function valueText(value: string, isText: boolean): string {
  const needsQuotes = !BARE.test(value) || (isText && isTypedText(value, 'body'));
  return needsQuotes ? JSON.stringify(value) : value;
}

/**
 * Returns a condition of a rule. A quoted value stays as it is. A number after `>` stays one, because
 * amounts as text compare with numbers.
 */
export function conditionText(
  member: string,
  operator: Operator,
  value: string,
  isText = false,
): string {
  if (operator === '?') return `${member}?`;
  const isQuoted = /^"(?:[^"\\]|\\.)*"$/.test(value);
  const isMistakable = isText && !OF_TEXTS.has(operator) && !isOrderSign(operator);
  const text = isQuoted ? value : valueText(value, isMistakable);
  return `${member}${operator}${text}`;
}

/** Returns whether a rule is in the JSON form. Such a rule can't be extended with text. */
export const isJsonRule = (rule: string): boolean => rule.trimStart().startsWith('{');

/**
 * Splits a rule into conditions that must all be true. A rule in the JSON form is one condition,
 * and so is a rule with an `or` at the top level.
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

/** Returns whether the word at a place is an operator's value, such as `and` in `body.a = and`. */
const isValue = (rule: string, at: number) => /[=<>]\s*$/.test(rule.slice(0, at));

/** Returns a rule that requires all conditions. */
export const ruleOf = (conditions: readonly string[]): string => conditions.join(' and ');

/** Returns the rule with one more required condition. */
export function withCondition(rule: string, condition: string): string {
  const conditions = conditionsOf(rule);
  if (conditions.length === 0) return condition;
  if (conditions.length > 1) return ruleOf([...conditions, condition]);
  const [only] = conditions as [string];
  // `or` binds less tightly than the added `and`, so a rule with `or` needs parentheses.
  return /\sor[\s(]/i.test(only) ? `(${only}) and ${condition}` : `${only} and ${condition}`;
}
