import { parseDocument, type Value, writeDocument } from './document.ts';
import type { Filter } from './filter.ts';
import { RuleFieldErrors, readJsonRule } from './read-json.ts';
import { readTextRule } from './read-text.ts';
import { RuleSyntaxError } from './rule-syntax-error.ts';

/** Longest rule, in bytes. */
const MAX_RULE_BYTES = 16 * 1024;

/** A rule as its owner wrote it: the text form, or the JSON form as JSON. */
export type RuleSource = string;

/** Reads either form. Throws `RuleFieldErrors` or `RuleSyntaxError`. */
export function readRule(source: RuleSource): Filter {
  return isJsonForm(source) ? readJsonRule(parseDocument(source)) : readTextRule(source);
}

/**
 * The source of a rule that came in JSON: an object, or a text in either form. Throws
 * `RuleFieldErrors`.
 */
export function checkedSource(rule: Value): RuleSource {
  try {
    // Reading limits the depth first: writing is recursive.
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

/** The rule as its owner wrote it, for answers. */
export function shownRule(source: RuleSource): string | { [name: string]: Value } {
  return isJsonForm(source) ? (parseDocument(source) as { [name: string]: Value }) : source;
}

/** PostgreSQL can store neither a NUL nor half a surrogate pair. */
function storable(source: RuleSource): RuleSource {
  const at = source.isWellFormed() ? source.indexOf('\0') : source.search(/\p{Surrogate}/u);
  if (at >= 0) throw new RuleSyntaxError('this character is not allowed', at);
  return source;
}

function isJsonForm(source: RuleSource): boolean {
  return source.trimStart().startsWith('{');
}
