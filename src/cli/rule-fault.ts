import { RuleFieldErrors } from '../core/rules/read-json.ts';
import { readRule } from '../core/rules/rule.ts';
import { RuleSyntaxError } from '../core/rules/rule-syntax-error.ts';
import { memberAt, parseLossless } from '../core/text/lossless-json.ts';

export interface RuleFaultAt {
  message: string;
  /** Offset in the rule, UTF-16 units. */
  at: number;
}

/** Returns null if the rule can be parsed. */
export function ruleFault(rule: string): RuleFaultAt | null {
  try {
    readRule(rule);
    return null;
  } catch (error) {
    if (error instanceof RuleSyntaxError) {
      return { message: error.message.replace(/^column \d+: /, ''), at: error.at };
    }
    if (error instanceof RuleFieldErrors) {
      const root = parseLossless(rule);
      const member = root && memberAt(root, error.issues[0]?.path ?? '');
      return { message: error.message, at: member?.start ?? 0 };
    }
    if (error instanceof SyntaxError) return jsonFault(rule, error.message);
    throw error;
  }
}

/** Reads the place of the fault from V8's message, which has three forms. */
function jsonFault(json: string, said: string): RuleFaultAt {
  const message = said.replace(/ in JSON at position.*$| JSON input$|, .* is not valid JSON$/s, '');
  const position = /at position (\d+)/.exec(said)?.[1];
  if (position !== undefined) return { message, at: Number(position) };
  return { message, at: said.startsWith('Unexpected token') ? unexpectedAt(json) : json.length };
}

/** Searches by bisection: a beginning of the text has this error only if it contains the token. */
function unexpectedAt(json: string): number {
  let [without, having] = [0, json.length];
  while (having - without > 1) {
    const middle = (without + having) >> 1;
    if (hasUnexpected(json.slice(0, middle))) having = middle;
    else without = middle;
  }
  return without;
}

function hasUnexpected(json: string): boolean {
  try {
    JSON.parse(json);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token');
  }
}
