import { parseDocument, type Value } from '../../core/rules/document.ts';
import type { Filter } from '../../core/rules/filter.ts';
import { type RuleSource, readRule, shownRule } from '../../core/rules/rule.ts';
import { writeJsonRule } from '../../core/rules/write-json.ts';
import { unwrapped, writeTextRule } from '../../core/rules/write-text.ts';

const INDENT = '  ';

/** Returns the lines of both rules in the same form, so that a diff compares conditions. */
export function comparableLines(
  before: RuleSource | null,
  after: RuleSource | null,
): [string[], string[]] {
  const rules = [before, after];
  const wantsText = rules.some((rule) => rule !== null && !isJson(rule));
  const texts = rules.map((rule) => (rule === null ? [] : conditionLines(readRule(rule))));
  const [first, second] = texts as [string[] | null, string[] | null];
  if (wantsText && first && second) return [first, second];
  return [before === null ? [] : jsonLines(before), after === null ? [] : jsonLines(after)];
}

/**
 * Returns a rule as text, one condition per line. Conditions with the same indentation must all
 * hold, unless a heading such as `any of` says otherwise. Returns null if only JSON can express the
 * rule.
 */
function conditionLines(filter: Filter): string[] | null {
  const only = unwrapped(filter);
  const parts = conjuncts(only);
  return parts ? joined(parts.map(partLines)) : partLines(only);
}

function partLines(filter: Filter): string[] | null {
  const only = unwrapped(filter);
  const parts = conjuncts(only);
  if (parts) return under('all of', parts);
  if (only.kind === 'or') return under('any of', only.filters);
  if (only.kind === 'not') {
    const negated = unwrapped(only.filter);
    if (negated.kind === 'or') return under('none of', negated.filters);
    const inner = conjuncts(negated);
    if (inner) return under('not all of', inner);
  }
  const text = writeTextRule({ kind: 'object', conditions: [only] });
  return text === null ? null : [text];
}

/** Returns null if there is only one. */
function conjuncts(filter: Filter): readonly Filter[] | null {
  if (filter.kind === 'and') return filter.filters;
  return filter.kind === 'object' && filter.conditions.length > 1 ? filter.conditions : null;
}

function under(heading: string, filters: readonly Filter[]): string[] | null {
  const lines = joined(filters.map(partLines));
  return lines && [heading, ...lines.map((line) => INDENT + line)];
}

function joined(parts: (string[] | null)[]): string[] | null {
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part as string[]);
}

function jsonLines(rule: RuleSource): string[] {
  const document = isJson(rule) ? parseDocument(rule) : writeJsonRule(readRule(rule));
  return JSON.stringify(document satisfies Value, null, 2).split('\n');
}

function isJson(rule: RuleSource): boolean {
  return typeof shownRule(rule) !== 'string';
}
