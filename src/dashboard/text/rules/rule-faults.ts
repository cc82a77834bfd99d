import type { ApiError } from '../../model/api-error.ts';
import { isJsonRule } from '../events/rule-text.ts';
import { type JsonNode, parseLossless } from '../lossless-json.ts';
import { ruleTokens } from './rule-tokens.ts';

/** What is wrong with a rule, and where. */
export interface RuleFault {
  from: number;
  to: number;
  message: string;
}

interface Place {
  from: number;
  to: number;
}

/**
 * The faults that an answer names, at their places in the text that was sent.
 *
 * @param path of the rule in the request: `filter` or `where`
 */
export function ruleFaults(error: ApiError | null, path: string, text: string): RuleFault[] {
  const own = (error?.issues ?? []).filter(
    (issue) => issue.path === path || issue.path.startsWith(`${path}.`),
  );
  const root = isJsonRule(text) ? parseLossless(text.trim()) : null;
  const begin = text.length - text.trimStart().length;
  return own.map((issue) => {
    const inside = issue.path.slice(path.length + 1);
    if (inside !== '' && root) {
      const place = placeOf(root, inside, text.trim());
      return {
        from: begin + place.from,
        to: begin + place.to,
        message: `${inside}: ${issue.message}`,
      };
    }
    return textFault(issue.message, text);
  });
}

/** `column 9: expected a value`, or what a JSON parser says. */
function textFault(message: string, text: string): RuleFault {
  const column = /^column (\d+): (.*)$/s.exec(message);
  if (column) return { ...around(Number(column[1]) - 1, text), message: column[2] as string };
  const position = /\bat position (\d+)/.exec(message);
  if (position) return { ...around(Number(position[1]), text), message: jsonText(message) };
  if (isJsonRule(text)) {
    // Without a place, an odd word is at fault, or what is missing at the end.
    const odd = ruleTokens(text).find(({ kind }) => kind === 'wrong');
    return { ...(odd ?? around(text.length, text)), message: jsonText(message) };
  }
  return { from: 0, to: text.length, message };
}

const jsonText = (message: string): string =>
  `this is not JSON: ${message.replace(/(?: in JSON at position|, "| in JSON input).*$/s, '')}`;

/** The token at a place; the last character where nothing follows. */
function around(at: number, text: string): Place {
  const end = text.trimEnd().length;
  if (at >= end) return { from: Math.max(0, end - 1), to: end };
  const token = ruleTokens(text).find(({ from, to }) => from <= at && at < to);
  return { from: at, to: token?.to ?? at + 1 };
}

/** Where a path such as `body.amount.$gte` leads; names may have dots themselves. */
function placeOf(root: JsonNode, path: string, text: string): Place {
  let node = root;
  let rest = path;
  let place: Place = { from: root.start, to: Math.min(root.end, root.start + 1) };
  while (rest !== '') {
    const found = node.members
      .map(({ key, value }, i) => ({ name: key === null ? String(i) : unquoted(key), key, value }))
      .filter(({ name }) => rest === name || rest.startsWith(`${name}.`))
      .sort((a, b) => b.name.length - a.name.length)[0];
    if (!found) break;
    const { name, key, value } = found;
    const isDeep = value.kind === 'object' || value.kind === 'array';
    const from = key === null ? value.start : text.lastIndexOf(key, value.start);
    place = { from, to: isDeep && key !== null ? from + key.length : value.end };
    rest = rest.slice(name.length + 1);
    node = value;
  }
  return place;
}

function unquoted(key: string): string {
  try {
    return String(JSON.parse(key));
  } catch {
    return key;
  }
}
