import { type AiEvent, payloadOf } from '../../../src/ai/event-input.ts';
import type { Sample } from '../../../src/providers/sampling/sample.ts';
import { capturedEvent, composed } from '../ai-events.ts';

const RECEIVED_AT = Date.parse('2026-11-21T09:00:00.000Z');

export interface EventParts {
  headers?: Record<string, string>;
  /** Text or bytes unchanged, anything else as JSON. */
  body?: unknown;
  method?: string;
  path?: string;
  query?: string;
}

/** An event as capture would store it. */
export function eventOf({ headers = {}, body, ...line }: EventParts): AiEvent {
  const rawHeaders = Object.entries(headers).flat();
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = Buffer.from(isRaw ? body : body === undefined ? '' : JSON.stringify(body));
  return capturedEvent(rawHeaders, bytes, { ...line, receivedAt: RECEIVED_AT });
}

/** A sample of `hookrelay trigger`, captured. */
export function eventOfSample(sample: Sample): AiEvent {
  const { headers, body } = composed(sample, null, RECEIVED_AT);
  return capturedEvent(headers, body, { receivedAt: RECEIVED_AT });
}

/** An event's body for changes: its JSON, or its form's fields as an object. */
export function membersOf(event: AiEvent): unknown {
  const payload = payloadOf(event);
  if (payload.kind === 'form') return Object.fromEntries(payload.fields);
  return payload.kind === 'json' ? payload.value : {};
}
