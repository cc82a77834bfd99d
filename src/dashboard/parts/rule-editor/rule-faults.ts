import { type JsonNode, memberAt, parseLossless } from '../../../core/text/lossless-json.ts';
import { type ApiError, isAbout } from '../../model/api-error.ts';
import { isJsonRule } from '../../text/rule-text.ts';
import { ruleTokens } from './rule-tokens.ts';

interface TextRange {
  from: number;
  to: number;
}

export interface RuleFaultRange extends TextRange {
  message: string;
}

/**
 * Returns the faults that an error answer reports, with their places in the rule's text.
 *
 * @param path where the rule is in the request: `filter` or `where`
 */
export function ruleFaults(error: ApiError | null, path: string, text: string): RuleFaultRange[] {
  const own = (error?.issues ?? []).filter((issue) => isAbout(issue, [path]));
  const root = isJsonRule(text) ? parseLossless(text.trim()) : null;
  const begin = text.length - text.trimStart().length;
  return own.map((issue) => {
    const inside = issue.path.slice(path.length + 1);
    if (inside === '' || !root) return textFault(issue.message, text);
    const { from, to } = placeOf(root, inside);
    return { from: begin + from, to: begin + to, message: `${inside}: ${issue.message}` };
  });
}

/**
 * Returns a fault from a message. The message is like `column 9: expected a value`, or comes from a
 * JSON parser.
 */
function textFault(message: string, text: string): RuleFaultRange {
  const column = /^column (\d+): (.*)$/s.exec(message);
  if (column) return { ...around(Number(column[1]) - 1, text), message: column[2] as string };
  const position = /\bat position (\d+)/.exec(message);
  if (position) return { ...around(Number(position[1]), text), message: jsonText(message) };
  if (isJsonRule(text)) {
    // The message names no place. Use the first wrong token, or the end if there is none.
    const odd = ruleTokens(text).find(({ kind }) => kind === 'wrong');
    return { ...(odd ?? around(text.length, text)), message: jsonText(message) };
  }
  return { from: 0, to: text.length, message };
}

const jsonText = (message: string): string =>
  `this is not JSON: ${message.replace(/(?: in JSON at position|, "| in JSON input).*$/s, '')}`;

/** Returns the token at a place, or the last character if the place is at the end. */
function around(at: number, text: string): TextRange {
  const end = text.trimEnd().length;
  if (at >= end) return { from: Math.max(0, end - 1), to: end };
  const token = ruleTokens(text).find(({ from, to }) => from <= at && at < to);
  return { from: at, to: token?.to ?? at + 1 };
}

/**
 * Returns the text range of the member at a path such as `body.amount.$gte`. The range is the name
 * and the value. If the value is an object or an array, the range is only the name.
 */
function placeOf(root: JsonNode, path: string): TextRange {
  const found = memberAt(root, path);
  if (!found) return { from: root.start, to: Math.min(root.end, root.start + 1) };
  const { key, start, value } = found;
  const isDeep = value.kind === 'object' || value.kind === 'array';
  return { from: start, to: isDeep && key !== null ? start + key.length : value.end };
}
