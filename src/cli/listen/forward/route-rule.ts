import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { RuleSource } from '../../../core/rules/rule.ts';
import { parseForwardTarget } from './forward-target.ts';

const FORM =
  "Expected a rule such as 'header.x-github-event=push -> 3001'; " +
  'its field is method, path, endpoint, provider, type, header.NAME or body.NAME. ' +
  "Write other rules after where: 'where body.amount>=1000 -> 3001'.";
const FIELD = /^(method|path|endpoint|provider|type|header\.[!#$%&'*+.^_`|~\w-]+|body\..+)$/;
/** Introduces a rule of docs/rules.md. No condition begins with this word. */
const WHERE = 'where';
/** Matches a pattern with a second condition after `and` or `or`. */
const JOINED =
  /\s(?:and|or)\s+(?:not\s+)?\(?(?:method|path|query|header|body|form|provider|type|verification|size|source_ip)\b/i;

export interface RouteCondition {
  field: string;
  pattern: string;
}

/**
 * A route, such as `header.x-github-event=push & path=/ci* → 3001` or `endpoint=shop & where
 * body.amount>=1000 → 3001`. An event goes to the target if all conditions and the rule match.
 */
export interface RouteRule {
  /** The conditions and the rule in a form that `--route` accepts. */
  text: string;
  conditions: RouteCondition[];
  /** An unchecked rule, in text or JSON; null without a rule. */
  where: RuleSource | null;
  target: string;
}

/** Parses a route. Throws commander's `InvalidArgumentError`. */
export function parseRoute(value: string): RouteRule {
  // Split at the last arrow, because a value may contain an arrow.
  const match = /^(.+)(?:→|->)([^→]+?)$/s.exec(value.trim());
  if (!match) throw new InvalidArgumentError(FORM);
  const [, condition = '', target = ''] = match;
  const { before, where } = withoutRule(condition);
  const conditions = before === '' ? [] : before.split(/\s+&\s+/).map(parseCondition);
  const texts = conditions.map(({ field, pattern }) => `${field}=${pattern}`);
  if (where !== null) texts.push(`${WHERE} ${where}`);
  return { text: texts.join(' & '), conditions, where, target: parseForwardTarget(target) };
}

/** Splits off the rule. It is all text after `where`, so it may contain anything. */
function withoutRule(text: string): { before: string; where: RuleSource | null } {
  const found = /(?:^|\s+&\s+)where\s+(?=\S)/.exec(text);
  if (!found) return { before: text, where: null };
  const where = text.slice(found.index + found[0].length).trim();
  return { before: text.slice(0, found.index), where };
}

/**
 * Returns the rule that was probably meant by conditions such as `body.amount>=1000`, or null. As a
 * condition, this text tests a member with the name `amount>`.
 */
export function meantRule({ conditions, where }: RouteRule): string | null {
  const isMeant = conditions.some(
    ({ field, pattern }) => /[!<>~*^$]$/.test(field) || JOINED.test(pattern),
  );
  if (!isMeant || where !== null) return null;
  return conditions.map(({ field, pattern }) => `${field}=${pattern}`).join(' and ');
}

export function parseRoutes(value: string, previous: RouteRule[]): RouteRule[] {
  return [...previous, parseRoute(value)];
}

function parseCondition(text: string): RouteCondition {
  const at = text.indexOf('=');
  const field = text.slice(0, Math.max(0, at)).trim();
  if (!FIELD.test(field)) throw new InvalidArgumentError(FORM);
  return { field, pattern: text.slice(at + 1).trim() };
}
