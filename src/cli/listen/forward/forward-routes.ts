import type { EventHeadAnswer } from '../../../api/events/event-answer.ts';
import { fitsRule } from '../../../core/rules/evaluate.ts';
import type { Filter } from '../../../core/rules/filter.ts';
import { RequestParts } from '../../../core/rules/request-parts.ts';
import { readRule } from '../../../core/rules/rule.ts';
import { RuleTooCostly } from '../../../core/rules/work.ts';
import { bodyType } from '../../../providers/body-type.ts';
import { memberText } from '../../terminal/json-text.ts';
import type { RouteCondition, RouteRule } from './route-rule.ts';

export interface Routed {
  head: Pick<
    EventHeadAnswer,
    | 'method'
    | 'path'
    | 'query'
    | 'endpoint_id'
    | 'provider'
    | 'event_type'
    | 'source_ip'
    | 'verification'
    | 'content_type'
    | 'raw_headers'
    | 'body_encoding'
  >;
  body: Buffer;
  endpointName: string | null;
}

export class ForwardRoutes {
  readonly #routes: (Pick<RouteRule, 'conditions' | 'target'> & { filter: Filter | null })[];
  readonly #otherwise: string | null;

  /**
   * Throws if a rule can't be parsed.
   *
   * @param otherwise the target of events that match no route; null if they have none
   */
  constructor(rules: readonly RouteRule[], otherwise: string | null) {
    this.#routes = rules.map(({ conditions, target, where }) => ({
      conditions,
      target,
      filter: where === null ? null : readRule(where),
    }));
    this.#otherwise = otherwise;
  }

  targetOf(event: Routed): string | null {
    let parts: RequestParts | null = null;
    const fits = (filter: Filter) => {
      // Parse the body once for all routes.
      parts ??= partsOf(event);
      try {
        return fitsRule(filter, parts);
      } catch (error) {
        if (error instanceof RuleTooCostly) return false;
        throw error;
      }
    };
    const route = this.#routes.find(
      ({ conditions, filter }) =>
        conditions.every((one) => holds(one, event)) && (filter === null || fits(filter)),
    );
    return route?.target ?? this.#otherwise;
  }
}

function partsOf({ head, body }: Routed): RequestParts {
  return new RequestParts(
    {
      method: head.method,
      path: head.path,
      query: head.query,
      rawHeaders: head.raw_headers.flat(),
      contentType: head.content_type,
      body,
      provider: head.provider,
      eventType: head.event_type,
      sourceIp: head.source_ip,
      verification: head.verification,
    },
    bodyType,
  );
}

function holds({ field, pattern }: RouteCondition, { head, body, endpointName }: Routed): boolean {
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

/** Returns a nested scalar as text, such as `1.0` for `data.id` in `{"data": {"id": 1.0}}`. */
function memberAt(json: string, names: readonly string[]): string | null {
  let text: string | null = json;
  for (const name of names) text = text === null ? null : memberText(text, name);
  if (text === null || text.startsWith('{') || text.startsWith('[')) return null;
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** Matches the whole text. Each `*` matches any text. */
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
