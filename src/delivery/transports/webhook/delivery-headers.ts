import type { Trigger } from '../../../core/model.ts';

/**
 * Headers of the sender's connection, which aren't part of the message (RFC 9110,
 * section 7.6.1), and headers that the request to the destination has of its own.
 * `accept-encoding`: attempts show the response as it came, and nothing here
 * decompresses it. `expect`: the body is here already, so a receiver's 100 has no
 * use.
 */
const NOT_PASSED_ON = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'accept-encoding',
  'expect',
]);
const SIGNATURE_HEADERS = new Set(['webhook-id', 'webhook-timestamp', 'webhook-signature']);

/**
 * What undici throws on, which would fail every attempt of the delivery. Node's
 * parser accepts none of it. A row written by other means might hold it, and a
 * delivery without that header is better than none.
 */
const INVALID_NAME = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

export interface DeliveryHeadersInput {
  /** Name, value, name, value …, as captured; each character stands for one byte. */
  rawHeaders: readonly string[];
  eventId: string;
  deliveryId: string;
  /** Number of this attempt in its delivery, from 1. */
  attempt: number;
  trigger: Trigger;
  /** When the attempt is made, Unix seconds. */
  timestampS: number;
  /** The value of `webhook-signature`, or null for a destination without a secret. */
  signature: string | null;
  /** Number of relays that the captured request came through. */
  hops: number;
}

/**
 * The headers of an attempt: name, value, name, value …
 *
 * The sender's own headers pass unchanged, in order, with case and duplicates, so
 * that the sender's signature still verifies. With a signature, our three
 * `webhook-*` headers replace any that came in. Without one, the sender's stay, and
 * our id and timestamp are each added only if missing. Inbound `x-hookrelay-*`
 * never pass: a receiver may trust them to be ours.
 */
export function deliveryHeaders(input: DeliveryHeadersInput): string[] {
  const { rawHeaders, signature } = input;
  const perConnection = connectionOptions(rawHeaders);
  const headers: string[] = [];
  let hasId = false;
  let hasTimestamp = false;

  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    const key = name.toLowerCase();
    if (NOT_PASSED_ON.has(key) || perConnection?.has(key)) continue;
    if (key.startsWith('proxy-') || key.startsWith('x-hookrelay-')) continue;
    if (name === '' || INVALID_NAME.test(name) || INVALID_VALUE.test(value)) continue;
    if (SIGNATURE_HEADERS.has(key)) {
      if (signature !== null) continue;
      if (key === 'webhook-id') hasId = true;
      else if (key === 'webhook-timestamp') hasTimestamp = true;
    }
    headers.push(name, value);
  }

  headers.push('x-hookrelay-event', input.eventId);
  headers.push('x-hookrelay-delivery', input.deliveryId);
  headers.push('x-hookrelay-attempt', String(input.attempt));
  headers.push('x-hookrelay-trigger', input.trigger);
  headers.push('x-hookrelay-hops', String(input.hops + 1));
  if (!hasId) headers.push('webhook-id', input.eventId);
  if (!hasTimestamp) headers.push('webhook-timestamp', String(input.timestampS));
  if (signature !== null) headers.push('webhook-signature', signature);
  return headers;
}

/**
 * The names that `Connection` headers list as headers of the connection; null when
 * there are none.
 */
function connectionOptions(rawHeaders: readonly string[]): Set<string> | null {
  let options: Set<string> | null = null;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 'connection'.length || name.toLowerCase() !== 'connection') continue;
    options ??= new Set();
    for (const option of (rawHeaders[i + 1] as string).split(',')) {
      options.add(option.trim().toLowerCase());
    }
  }
  return options;
}
