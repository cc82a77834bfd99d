import type { CallBody } from '../../../api/client/typed-call.ts';
import type { AsTyped } from '../../model/as-typed.ts';
import type { EventDetail } from '../../text/event-answer.ts';
import type { HeaderLine } from '../../text/header-line.ts';

/** The largest JSON that the API accepts for an edited copy, bytes. */
const MOST_EDIT_BYTES = 1024 * 1024;
/**
 * The largest body that the form edits, bytes of JSON text. The rest is space for the other values.
 */
const MOST_BODY_BYTES = MOST_EDIT_BYTES - 64 * 1024;

const COMPUTED = 'content-length';

/** The changes for an edited copy, as the user typed them. */
type Edit = AsTyped<CallBody<'POST /api/endpoints/{id}/events/{eventId}/edit'>>;

/** The texts of an edited event's fields. */
export interface EventForm {
  method: string;
  path: string;
  query: string;
  headers: HeaderLine[];
  /** Null if the form can't edit the body. The copy then has the same body. */
  body: string | null;
}

/** Names of headers that hold a signature: `X-Hub-Signature-256`, `X-Shopify-Hmac-Sha256`. */
const OF_SIGNATURE = /signature|hmac/i;

type Original = Pick<EventDetail, 'method' | 'path' | 'query' | 'raw_headers' | 'bytes' | 'text'>;

export function eventFormOf({
  method,
  path,
  query,
  raw_headers,
  bytes,
  text,
}: Original): EventForm {
  return {
    method,
    path,
    query,
    headers: raw_headers
      .filter(([name]) => name.toLowerCase() !== COMPUTED)
      .map(([name, value], key) => ({ key, name, value })),
    body: text !== null && isEditable(text, bytes) ? inField(text) : null,
  };
}

/** Returns the changes for an edited copy, with only the values that differ from the event. */
export function editOf(event: Original, form: EventForm): Edit {
  const before = eventFormOf(event);
  const edit: Edit = {};
  for (const name of ['method', 'path', 'query'] as const) {
    if (form[name] !== before[name]) edit[name] = form[name];
  }
  const headers = changedHeaders(before.headers, form.headers);
  if (headers) edit.headers = headers;
  const { body } = form;
  if (body !== null && body !== before.body) edit.body = withBreaks(event, body);
  return edit;
}

/**
 * Returns the names of the headers whose signature no longer fits the edited copy: the body has
 * changed, and they haven't. The page doesn't know what a provider signs beside the body. The
 * server's answer does.
 */
export function unfitSignatures(event: Original, form: EventForm): string[] {
  const before = eventFormOf(event);
  if (form.body === before.body) return [];
  const kept = form.headers.filter(({ name, value }) =>
    before.headers.some((one) => one.name === name && one.value === value),
  );
  const names = kept.map(({ name }) => name).filter((name) => OF_SIGNATURE.test(name));
  return [...new Set(names)];
}

/** Returns a fault if an edit is too long for the API, and otherwise null. */
export function lengthFault(edit: Edit): string | null {
  return jsonBytes(edit) <= MOST_EDIT_BYTES
    ? null
    : 'must be shorter: a copy is at most 1 MiB of JSON';
}

function isEditable(text: string, { length }: Uint8Array): boolean {
  return length <= MOST_BODY_BYTES && jsonBytes(text) <= MOST_BODY_BYTES;
}

const jsonBytes = (value: unknown): number =>
  new TextEncoder().encode(JSON.stringify(value)).length;

/**
 * Returns the new value of each changed header, or null if no header changed. A removed header has
 * the value null. A header that occurs several times has a list.
 */
function changedHeaders(
  before: readonly HeaderLine[],
  now: readonly HeaderLine[],
): Record<string, string | string[] | null> | null {
  const old = byName(before);
  const next = byName(now.filter(({ name, value }) => name !== '' || value !== ''));
  const changed: [string, string | string[] | null][] = [];
  for (const [key, { name }] of old) if (!next.has(key)) changed.push([name, null]);
  for (const [key, { name, values }] of next) {
    if (JSON.stringify(values) === JSON.stringify(old.get(key)?.values)) continue;
    changed.push([name, values.length === 1 ? (values[0] as string) : values]);
  }
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function byName(headers: readonly HeaderLine[]) {
  const found = new Map<string, { name: string; values: string[] }>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    const same = found.get(key);
    if (same) same.values.push(value);
    else found.set(key, { name, values: [value] });
  }
  return found;
}

/** Converts each line break to a line feed, like a `textarea`. */
const inField = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Returns the edited text with `\r\n` line breaks if the event has only those. */
function withBreaks({ text }: Original, edited: string): string {
  const isCrLf = text?.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);
  return isCrLf ? edited.replaceAll('\n', '\r\n') : edited;
}
