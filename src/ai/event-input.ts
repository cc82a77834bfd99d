import { isUtf8 } from 'node:buffer';
import { isForm } from '../core/http/is-form.ts';
import { joinedHeaders } from '../core/http/joined-headers.ts';
import type { EventStatus, EventSummary } from '../core/model.ts';
import type { Verification } from '../core/proof/verification.ts';
import { payloadText } from '../core/rules/body-document.ts';
import type { EventContent } from '../store/contract/events.ts';
import { jsonValue, ndjsonArray } from './ndjson.ts';

/** One captured request: the input of all four operations. */
export interface AiEvent {
  id: string;
  status: EventStatus;
  method: string;
  /** The part of the target after the token: empty, or starting with `/`. */
  path: string;
  /** The raw query, without the `?`. */
  query: string;
  /** Name, value, name, value …, as the sender wrote them. */
  rawHeaders: readonly string[];
  /** Values by lower-case name, duplicates joined by `, `. A map, because senders choose the names. */
  headers: ReadonlyMap<string, string>;
  contentType: string | null;
  body: Buffer;
  /** Unix milliseconds. */
  receivedAt: number;
  /** The provider that the headers name, such as `github`; null when unknown. */
  provider: string | null;
  /** The event type that the headers name; `event-type.ts` reads the body. */
  eventType: string | null;
  verification: Verification;
}

/**
 * A parsed body. Parsing decides whether a body is JSON, and the content type
 * doesn't count, as in the event view. A byte order mark is left out.
 */
export type Payload =
  /** `isInForm`: the JSON object or array is a form's field `payload`. */
  | { kind: 'json'; value: unknown; isInForm: boolean }
  /** JSON documents, one per line. */
  | { kind: 'ndjson'; values: unknown[] }
  /** Name and value pairs in order. Names may repeat. */
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'text'; text: string }
  | { kind: 'binary' }
  | { kind: 'empty' };

export function aiEvent(summary: EventSummary, content: EventContent): AiEvent {
  const { id, status, method, path, contentType, receivedAt } = summary;
  const { provider, eventType, verification } = summary;
  const { query, rawHeaders, body } = content;
  const headers = joinedHeaders(rawHeaders);
  return {
    ...{ id, status, method, path, query, rawHeaders, headers },
    ...{ contentType, body, receivedAt, provider, eventType, verification },
  };
}

const parsed = new WeakMap<object, Payload>();

/**
 * The event's body, parsed once. The value may be a million levels deep, so
 * callers must bound their recursion.
 */
export function payloadOf(event: Pick<AiEvent, 'body' | 'contentType'>): Payload {
  const known = parsed.get(event);
  if (known) return known;
  const payload = parsePayload(event.body, event.contentType);
  parsed.set(event, payload);
  return payload;
}

export function parsePayload(body: Buffer, contentType: string | null): Payload {
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
