import { parseDocument, type Value, writeDocument } from './document.ts';
import type { Filter } from './filter.ts';
import { RuleFieldErrors, readJsonRule } from './read-json.ts';
import { readTextRule } from './read-text.ts';
import { RuleSyntaxError } from './rule-syntax-error.ts';

/** How long a rule may be, bytes. */
const MAX_RULE_BYTES = 16 * 1024;

/** A rule as its owner wrote it: its text form, or its JSON form as a JSON text. */
export type RuleSource = string;

/** Reads a rule in either form. Throws `RuleFieldErrors` or `RuleSyntaxError`. */
export function readRule(source: RuleSource): Filter {
  return isJsonForm(source) ? readJsonRule(parseDocument(source)) : readTextRule(source);
}

/**
 * Checks a rule from a JSON input, and returns its source. The rule is an object, or a text in
 * either form. Throws `RuleFieldErrors`.
 */
export function checkedSource(rule: Value): RuleSource {
  try {
    // Reading comes first, because it limits the depth. `writeDocument` recurses.
    if (typeof rule === 'string') readRule(storable(rule));
    else readJsonRule(rule);
  } catch (error) {
    if (!(error instanceof RuleSyntaxError) && !(error instanceof SyntaxError)) throw error;
    throw new RuleFieldErrors([{ path: '', message: error.message }]);
  }
  const source = typeof rule === 'string' ? rule.trim() : writeDocument(rule);
  if (new TextEncoder().encode(source).length <= MAX_RULE_BYTES) return source;
  throw new RuleFieldErrors([{ path: '', message: `must be at most ${MAX_RULE_BYTES} bytes` }]);
}

/** Returns the rule as its owner wrote it, for answers. */
export function shownRule(source: RuleSource): string | { [name: string]: Value } {
  return isJsonForm(source) ? (parseDocument(source) as { [name: string]: Value }) : source;
}

/** Refuses characters that PostgreSQL can't store: NUL and half a surrogate pair. */
function storable(source: RuleSource): RuleSource {
  const at = source.isWellFormed() ? source.indexOf('\0') : source.search(/\p{Surrogate}/u);
  if (at >= 0) throw new RuleSyntaxError('this character is not allowed', at);
  return source;
}

function isJsonForm(source: RuleSource): boolean {
  return source.trimStart().startsWith('{');
}
