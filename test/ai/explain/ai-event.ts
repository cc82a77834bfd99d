import { randomBytes } from 'node:crypto';
import { type AiEvent, aiEvent, payloadOf } from '../../../src/ai/event-input.ts';
import { recognise } from '../../../src/core/providers.ts';
import { composeSample } from '../../../src/samples/compose-sample.ts';
import type { Sample } from '../../../src/samples/sample.ts';

export const RECEIVED_AT = Date.parse('2026-11-21T09:00:00.000Z');

export interface EventParts {
  headers?: Record<string, string>;
  /** Text or bytes as they are, anything else as JSON. */
  body?: unknown;
  method?: string;
  path?: string;
  query?: string;
}

/** An event as capture would store it. */
export function eventOf({ headers = {}, body, method = 'POST', ...rest }: EventParts): AiEvent {
  const rawHeaders = Object.entries(headers).flat();
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = Buffer.from(isRaw ? body : body === undefined ? '' : JSON.stringify(body));
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return aiEvent(
    {
      seq: 1,
      id: 'evt_01m7ygcr1yfhe9cka3efzhr7er',
      endpointId: 'ep_01m7ygcr1yfhe9cka3efzhr7er',
      status: 'received',
      method,
      path: rest.path ?? '',
      contentType: type?.[1] ?? null,
      size: bytes.length,
      ...recognise(rawHeaders),
      sourceIp: '127.0.0.1',
      receivedAt: RECEIVED_AT,
      attempts: 0,
    },
    { query: rest.query ?? '', rawHeaders, body: bytes },
  );
}

/** A sample of `hookrelay trigger`, captured. */
export function eventOfSample(sample: Sample): AiEvent {
  const { headers, body } = composeSample(sample, {
    url: 'https://hooks.example.com/in/token',
    secret: null,
    overrides: [],
    add: false,
    nowMs: RECEIVED_AT,
    randomBytes,
  });
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1]]] : []));
  return eventOf({ headers: Object.fromEntries(pairs), body });
}

/** An event's body to be changed: its JSON, or its form's fields as an object. */
export function membersOf(event: AiEvent): unknown {
  const payload = payloadOf(event);
  if (payload.kind === 'form') return Object.fromEntries(payload.fields);
  return payload.kind === 'json' ? payload.value : {};
}
