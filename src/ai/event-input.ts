import { isUtf8 } from 'node:buffer';
import { joinedHeaders } from '../core/http/joined-headers.ts';
import type { EventStatus, EventSummary } from '../core/model.ts';
import type { EventContent } from '../store/contract/events.ts';
import { jsonValue, ndjsonArray } from './ndjson.ts';

/** What all four operations are given: one captured request. */
export interface AiEvent {
  id: string;
  status: EventStatus;
  method: string;
  /** What followed the token in the target: empty, or starting with `/`. */
  path: string;
  /** Raw, without the `?`. */
  query: string;
  /** Name, value, name, value …, as they came. */
  rawHeaders: readonly string[];
  /** By lower-case name, duplicates joined by `, `. A map: senders choose the names. */
  headers: ReadonlyMap<string, string>;
  contentType: string | null;
  body: Buffer;
  /** Unix milliseconds. */
  receivedAt: number;
  /** As `recognise.ts` found it by the headers, `github`; null when unknown. */
  provider: string | null;
  /** The provider's word for the event, as far as headers say; see `event-type.ts` for the body's. */
  eventType: string | null;
}

/** What a body is. JSON is recognised by parsing, whatever the content type says, as in the event view; a byte order mark before it is left out. */
export type Payload =
  | { kind: 'json'; value: unknown }
  /** JSON documents, one a line. */
  | { kind: 'ndjson'; values: unknown[] }
  /** Name and value pairs in order, names may repeat. */
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'text'; text: string }
  | { kind: 'binary' }
  | { kind: 'empty' };

export function aiEvent(summary: EventSummary, content: EventContent): AiEvent {
  const { id, status, method, path, contentType, receivedAt, provider, eventType } = summary;
  const { query, rawHeaders, body } = content;
  const headers = joinedHeaders(rawHeaders);
  return {
    ...{ id, status, method, path, query, rawHeaders, headers },
    ...{ contentType, body, receivedAt, provider, eventType },
  };
}

const parsed = new WeakMap<object, Payload>();

/**
 * The event's body, parsed once. Arbitrarily deep: `JSON.parse` takes a million
 * levels, so whoever walks the value must not recurse without a bound.
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
  // Leaves out a byte order mark, which JSON readers refuse.
  const text = new TextDecoder().decode(body);
  const value = jsonValue(text);
  if (value !== undefined) return { kind: 'json', value };
  const lines = ndjsonArray(text);
  if (lines !== null) return { kind: 'ndjson', values: JSON.parse(lines) as unknown[] };
  if (!isForm(contentType)) return { kind: 'text', text };
  return { kind: 'form', fields: [...new URLSearchParams(text)] };
}

export function isForm(contentType: string | null): boolean {
  const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return essence === 'application/x-www-form-urlencoded';
}
