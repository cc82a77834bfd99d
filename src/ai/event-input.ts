import { isUtf8 } from 'node:buffer';
import { isForm } from '../core/http/is-form.ts';
import { joinedHeaders } from '../core/http/joined-headers.ts';
import type { EventStatus, EventSummary } from '../core/model.ts';
import type { FailureText } from '../core/proof/failure-text.ts';
import type { SourceSettings } from '../core/proof/source.ts';
import type { Verification, VerificationReason } from '../core/proof/verification.ts';
import { payloadText } from '../core/text/payload-text.ts';
import { failureOf } from '../providers/reasons/failure-of.ts';
import type { EventContent } from '../store/contract/events.ts';
import { jsonValue, ndjsonArray } from './ndjson.ts';

/** One captured request: the input of all four operations. */
export interface AiEvent {
  id: string;
  status: EventStatus;
  method: string;
  /** The path after the capture URL's token: empty, or starting with `/`. */
  path: string;
  /** The raw query, without the `?`. */
  query: string;
  /** Names and values in turns, as the sender wrote them: name, value, name, value … */
  rawHeaders: readonly string[];
  /**
   * Values by lower-case name. Duplicates are joined by `, `. It is a map, because senders choose
   * the names.
   */
  headers: ReadonlyMap<string, string>;
  contentType: string | null;
  body: Buffer;
  /** Unix milliseconds. */
  receivedAt: number;
  /** The provider by the headers, such as `github`; null if unknown. */
  provider: string | null;
  /**
   * The event type in the headers; null if they have none. `event-type.ts` reads the type in the
   * body.
   */
  eventType: string | null;
  verification: Verification;
  /** Why the endpoint's source doesn't verify the sender; null if it does, or there is no source. */
  failure: EventFailure | null;
}

export interface EventFailure extends FailureText {
  reason: VerificationReason;
}

/**
 * A parsed body, without its byte order mark. A body that parses as JSON is JSON, whatever its
 * content type says. The page's event view decides the same way.
 */
export type EventPayload =
  /** If `isInForm`, the JSON object or array comes from a form's field `payload`. */
  | { kind: 'json'; value: unknown; isInForm: boolean }
  /** JSON documents, one per line. */
  | { kind: 'ndjson'; values: unknown[] }
  /** Name and value pairs in order. Names may repeat. */
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'text'; text: string }
  | { kind: 'binary' }
  | { kind: 'empty' };

/** @param source the endpoint's present source; null without one */
export function aiEvent(
  summary: EventSummary,
  content: EventContent,
  source: SourceSettings | null = null,
): AiEvent {
  const { id, status, method, path, contentType, receivedAt } = summary;
  const { provider, eventType, verification } = summary;
  const { query, rawHeaders, body } = content;
  const headers = joinedHeaders(rawHeaders);
  return {
    ...{ id, status, method, path, query, rawHeaders, headers },
    ...{ contentType, body, receivedAt, provider, eventType, verification },
    failure: eventFailure(summary, content, source),
  };
}

/**
 * Returns why a request failed its verification, with the reason's code, or null if it didn't fail.
 */
export function eventFailure(
  { verification, receivedAt }: Pick<EventSummary, 'verification' | 'receivedAt'>,
  { rawHeaders, body }: Pick<EventContent, 'rawHeaders' | 'body'>,
  source: SourceSettings | null,
): EventFailure | null {
  const { reason } = verification;
  const text = failureOf(verification, source, { rawHeaders, body, receivedAt });
  return text && reason && { reason, ...text };
}

const parsed = new WeakMap<object, EventPayload>();

/**
 * Returns the event's body, which is parsed only once. It may have a million levels, so callers
 * must bound their recursion.
 */
export function payloadOf(event: Pick<AiEvent, 'body' | 'contentType'>): EventPayload {
  const known = parsed.get(event);
  if (known) return known;
  const payload = parsePayload(event.body, event.contentType);
  parsed.set(event, payload);
  return payload;
}

export function parsePayload(body: Buffer, contentType: string | null): EventPayload {
  if (body.length === 0) return { kind: 'empty' };
  if (!isUtf8(body)) return { kind: 'binary' };
  // TextDecoder removes a byte order mark, which JSON parsers refuse.
  const text = new TextDecoder().decode(body);
  const value = jsonValue(text);
  if (value !== undefined) return { kind: 'json', value, isInForm: false };
  const lines = ndjsonArray(text);
  if (lines !== null) return { kind: 'ndjson', values: JSON.parse(lines) as unknown[] };
  if (!isForm(contentType)) return { kind: 'text', text };
  const form = new URLSearchParams(text);
  const payload = payloadText(form);
  const inner = payload === null ? undefined : jsonValue(payload);
  if (inner !== undefined) return { kind: 'json', value: inner, isInForm: true };
  return { kind: 'form', fields: [...form] };
}
