import { randomBytes } from 'node:crypto';
import { type AiEvent, aiEvent } from '../../src/ai/event-input.ts';
import { NOT_CHECKED } from '../../src/core/proof/verification.ts';
import { recognise } from '../../src/providers/recognise.ts';
import { SAMPLES } from '../../src/providers/samples.ts';
import { type ComposedSample, composeSample } from '../../src/providers/sampling/compose-sample.ts';
import type { Sample } from '../../src/providers/sampling/sample.ts';
import { NO_DELIVERIES } from '../fixtures/no-deliveries.ts';

interface CapturedParts {
  method?: string;
  path?: string;
  query?: string;
  receivedAt?: number;
}

/** An event as the store would return it: a POST to the bare token, just now. */
export function capturedEvent(
  rawHeaders: string[],
  body: Buffer | string,
  { method = 'POST', path = '', query = '', receivedAt = Date.now() }: CapturedParts = {},
): AiEvent {
  const bytes = Buffer.from(body);
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && /^content-type$/i.test(name));
  return aiEvent(
    {
      seq: 1,
      id: 'evt_01kxe4q2s5e0ert4wvnmhxq8p1',
      endpointId: 'ep_01kxe4q2s5e0ert4wvnmhxq8p1',
      status: 'received',
      method,
      path,
      contentType: at === -1 ? null : (rawHeaders[at + 1] as string),
      size: bytes.length,
      sourceIp: '127.0.0.1',
      receivedAt,
      attempts: 0,
      outcome: null,
      deliveryCounts: NO_DELIVERIES,
      heldBy: null,
      editedFrom: null,
      verification: NOT_CHECKED,
      duplicateOf: null,
      isConflicting: false,
      unjudged: null,
      ...recognise(rawHeaders),
    },
    { query, rawHeaders, body: bytes },
  );
}

/** An event with this JSON text, from an unknown sender. */
export function jsonEvent(json: string): AiEvent {
  return capturedEvent(['content-type', 'application/json'], json);
}

/** A provider's sample as `hookrelay trigger` sends it at this moment. */
export function composed(
  sample: Sample,
  secret: string | null = null,
  nowMs = Date.now(),
): ComposedSample {
  return composeSample(sample, {
    url: 'https://hooks.example.com/in/abc',
    secret,
    overrides: [],
    add: false,
    nowMs,
    randomBytes,
  });
}

/** Every sample of `hookrelay trigger`, captured. */
export function sampleEvents(): { name: string; event: AiEvent }[] {
  return SAMPLES.map((sample) => {
    const { headers, body } = composed(sample);
    return { name: sample.name, event: capturedEvent(headers, body) };
  });
}
