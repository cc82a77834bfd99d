import type { HeaderPair, Trigger } from '../../../core/model.ts';
import { VERIFICATION_HEADER } from '../../../core/proof/verification-header.ts';
import type { DestinationHeaders } from './destination-headers.ts';
import { isSendable, mayPassOn } from './passed-on.ts';

const SIGNATURE_HEADERS = new Set(['webhook-id', 'webhook-timestamp', 'webhook-signature']);

export interface DeliveryHeadersInput {
  /** Name, value, name, value …, as captured. Each character stands for one byte. */
  rawHeaders: readonly string[];
  eventId: string;
  deliveryId: string;
  /** Number of this attempt in its delivery, from 1. */
  attempt: number;
  trigger: Trigger;
  /** When the attempt starts, Unix seconds. */
  timestampS: number;
  /** The value of `webhook-signature`; null for a destination without a secret. */
  signature: string | null;
  /** The value of `x-hookrelay-verification`; null for none. */
  verification: string | null;
  /**
   * This attempt's signature in the provider's form. If null, the sender's signature is passed on.
   */
  resigned: readonly HeaderPair[] | null;
  /** How many relays the captured request has passed. */
  hops: number;
  /** The destination's own headers; null without any. */
  own: DestinationHeaders | null;
}

/**
 * Returns the headers of an attempt: name, value, name, value …
 *
 * - The sender's headers pass unchanged, in order, with case and duplicates. So the sender's
 *   signature still verifies.
 * - The destination's own headers follow. They replace the sender's headers of the same names.
 * - With a signature, hookrelay's three `webhook-*` headers replace the sender's. Without a
 *   signature, the sender's stay, and hookrelay adds a missing id or timestamp.
 * - A new signature in the provider's form replaces all headers of its names.
 * - A header that can't be sent is dropped, because a delivery without it is better than none.
 */
export function deliveryHeaders(input: DeliveryHeadersInput): string[] {
  const { rawHeaders, signature, own, resigned } = input;
  const replaced = resigned && new Set(resigned.map(([name]) => name.toLowerCase()));
  const perConnection = connectionOptions(rawHeaders);
  const headers: string[] = [];
  let hasId = replaced?.has('webhook-id') === true;
  let hasTimestamp = replaced?.has('webhook-timestamp') === true;

  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    const key = name.toLowerCase();
    if (!mayPassOn(key) || perConnection?.has(key) || own?.names.has(key)) continue;
    if (replaced?.has(key) || !isSendable(name, value)) continue;
    if (SIGNATURE_HEADERS.has(key)) {
      if (signature !== null) continue;
      if (key === 'webhook-id') hasId = true;
      else if (key === 'webhook-timestamp') hasTimestamp = true;
    }
    headers.push(name, value);
  }

  if (own) headers.push(...(replaced ? without(own.flat, replaced) : own.flat));
  headers.push('x-hookrelay-event', input.eventId);
  headers.push('x-hookrelay-delivery', input.deliveryId);
  headers.push('x-hookrelay-attempt', String(input.attempt));
  headers.push('x-hookrelay-trigger', input.trigger);
  headers.push('x-hookrelay-hops', String(input.hops + 1));
  if (input.verification !== null) headers.push(VERIFICATION_HEADER, input.verification);
  if (!hasId) headers.push('webhook-id', input.eventId);
  if (!hasTimestamp) headers.push('webhook-timestamp', String(input.timestampS));
  if (signature !== null && replaced?.has('webhook-signature') !== true) {
    headers.push('webhook-signature', signature);
  }
  if (resigned) headers.push(...resigned.flat());
  return headers;
}

function without(flat: readonly string[], names: ReadonlySet<string>): string[] {
  return flat.filter((_, i) => !names.has((flat[i - (i % 2)] as string).toLowerCase()));
}

/** Returns the names of the headers that the `Connection` headers list; null if there are none. */
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
