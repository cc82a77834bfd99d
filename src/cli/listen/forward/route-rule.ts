import { InvalidArgumentError } from 'commander';
import type { EventHead } from '../../../api/api-types.ts';
import { memberText } from '../../terminal/json-text.ts';
import { parseTarget } from './target.ts';

const FORM =
  "Expected a rule such as 'header.x-github-event=push -> 3001'; " +
  'its field is method, path, endpoint, provider, type, header.NAME or body.NAME.';
const FIELD = /^(method|path|endpoint|provider|type|header\.[!#$%&'*+.^_`|~\w-]+|body\..+)$/;

/** The parts of an event that rules compare. */
export interface Routed {
  head: Pick<
    EventHead,
    'method' | 'path' | 'endpoint_id' | 'provider' | 'event_type' | 'raw_headers' | 'body_encoding'
  >;
  body: Buffer;
  /** The endpoint's name. */
  endpointName: string | null;
}

interface Condition {
  field: string;
  /** `*` matches any text, even none. */
  pattern: string;
}

/** `header.x-github-event=push & path=/ci* → 3001`: an event goes to the target if all conditions hold. */
export interface RouteRule {
  /** The conditions in a readable form. */
  text: string;
  conditions: Condition[];
  target: string;
}

/** Parses a rule. Throws commander's `InvalidArgumentError`. */
export function parseRoute(value: string): RouteRule {
  // The last arrow separates: a value may contain one.
  const match = /^(.+)(?:→|->)([^→]+?)$/.exec(value.trim());
  if (!match) throw new InvalidArgumentError(FORM);
  const conditions = (match[1] as string).split(/\s+&\s+/).map(parseCondition);
  const target = parseTarget(match[2] as string);
  const text = conditions.map(({ field, pattern }) => `${field}=${pattern}`).join(' & ');
  return { text, conditions, target };
}

/** Collects the rules of every `--route`. */
export function parseRoutes(value: string, previous: RouteRule[]): RouteRule[] {
  return [...previous, parseRoute(value)];
}

/** The target of the first rule that matches, or `otherwise`. */
export function chooseTarget(
  rules: readonly RouteRule[],
  otherwise: string | null,
  event: Routed,
): string | null {
  const rule = rules.find(({ conditions }) => conditions.every((one) => holds(one, event)));
  return rule?.target ?? otherwise;
}

function parseCondition(text: string): Condition {
  const at = text.indexOf('=');
  const field = text.slice(0, Math.max(0, at)).trim();
  if (!FIELD.test(field)) throw new InvalidArgumentError(FORM);
  return { field, pattern: text.slice(at + 1).trim() };
}

function holds({ field, pattern }: Condition, { head, body, endpointName }: Routed): boolean {
  const matches = (text: string | null) => text !== null && matchesPattern(pattern, text);
  if (field.startsWith('header.')) {
    const name = field.slice('header.'.length).toLowerCase();
    return head.raw_headers.some(([key, text]) => key.toLowerCase() === name && matches(text));
  }
  if (field.startsWith('body.')) {
    if (head.body_encoding !== 'json') return false;
    return matches(memberAt(body.toString('utf8'), field.slice('body.'.length).split('.')));
  }
  switch (field) {
    case 'method':
      return matchesPattern(pattern.toUpperCase(), head.method);
    case 'path':
      return matches(head.path || '/');
    case 'endpoint':
      return matches(endpointName) || matches(head.endpoint_id);
    case 'provider':
      return matches(head.provider);
    default:
      return matches(head.event_type);
  }
}

/** A nested scalar as text: in `{"data": {"id": 1.0}}`, `data.id` is `1.0`. */
function memberAt(json: string, names: readonly string[]): string | null {
  let text: string | null = json;
  for (const name of names) text = text === null ? null : memberText(text, name);
  if (text === null || text.startsWith('{') || text.startsWith('[')) return null;
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** Whether `text` matches `pattern`. Each `*` matches any text. */
function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}
