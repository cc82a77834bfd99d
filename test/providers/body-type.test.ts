import { describe, expect, test } from 'vitest';
import { bodyDocument } from '../../src/core/rules/body-document.ts';
import { bodyType, mayNameType, standsInBody } from '../../src/providers/body-type.ts';
import { recognise } from '../../src/providers/recognise.ts';
import { SAMPLES } from '../../src/providers/samples.ts';
import { composeSample } from '../../src/providers/sampling/compose-sample.ts';
import { otherReadings } from '../../src/store/shared/search/search-text.ts';

test.each<[provider: string | null, body: unknown, type: string | null]>([
  ['stripe', { object: 'event', type: 'invoice.paid' }, 'invoice.paid'],
  ['slack', { type: 'event_callback', event: { type: 'app_mention' } }, 'app_mention'],
  ['slack', { type: 'block_actions' }, 'block_actions'],
  ['slack', { command: '/deploy' }, '/deploy'],
  ['paypal', { event_type: 'PAYMENT.CAPTURE.COMPLETED' }, 'PAYMENT.CAPTURE.COMPLETED'],
  ['paddle', { event_type: 'transaction.completed' }, 'transaction.completed'],
  ['linear', { type: 'Issue' }, 'Issue'],
  ['twilio', { AccountSid: 'AC1', MessageSid: 'SM1' }, 'message'],
  ['twilio', { AccountSid: 'AC1', CallSid: 'CA1' }, 'call'],
  ['twilio', { CallSid: 'CA1' }, null],
  ['sendgrid', [{ sg_event_id: 'a', event: 'open' }], 'open'],
  [
    'sendgrid',
    [
      { sg_event_id: 'a', event: 'open' },
      { sg_event_id: 'b', event: 'click' },
    ],
    null,
  ],
  ['stripe', { type: 5 }, null],
  ['stripe', { type: '' }, null],
  ['stripe', { type: 'x'.repeat(300) }, 'x'.repeat(100)],
  ['stripe', Object.create({ type: 'inherited' }), null],
  ['stripe', 'type', null],
  ['unheard-of', { type: 'invoice.paid' }, null],
  [null, { type: 'invoice.paid' }, 'invoice.paid'],
  [null, { action: 'c', event_name: 'b', event: 'a' }, 'a'],
  [null, { event_name: 'b', eventType: 'd', event_type: 'e' }, 'e'],
  [null, { type: { name: 'a' }, event: 7, eventType: 'order.paid' }, 'order.paid'],
  [null, { type: 'x'.repeat(101), event: '', action: 'x'.repeat(100) }, 'x'.repeat(100)],
  [null, { topic: 'orders', data: { type: 'order.paid' } }, null],
  [null, [{ type: 'order.paid' }], null],
  [null, Object.create({ type: 'inherited' }), null],
  [null, 'type', null],
])('%s %j: %s', (provider, body, type) => {
  expect(bodyType(provider, body)).toBe(type);
});

test('providers whose bodies name no type are not read', () => {
  expect(mayNameType('stripe')).toBe(true);
  expect(mayNameType('shopify')).toBe(false);
  expect(mayNameType('unheard-of')).toBe(false);
  expect(mayNameType(null)).toBe(true);
});

describe.each(SAMPLES)('$name', (sample) => {
  const { headers, body } = composeSample(sample, {
    url: 'https://hooks.example.com/in/abc',
    ...{ secret: null, overrides: [], add: false, nowMs: 0 },
    randomBytes: (count) => new Uint8Array(count),
  });
  const { provider, eventType } = recognise(headers);
  const at = headers.findIndex((text) => text.toLowerCase() === 'content-type');
  const contentType = headers[at + 1] ?? null;

  test('has a type, from the headers or the body', () => {
    const type = eventType ?? bodyType(provider, bodyDocument(body, contentType).body);
    if (!mayNameType(provider) || sample.name === 'sendgrid.events') return;
    expect(type).toEqual(expect.stringMatching(/./));
    // A search for the type looks for its text in the bodies.
    const readings = [body, ...otherReadings(body, contentType)];
    const isThere = readings.some((reading) => reading.includes(type as string));
    if (eventType === null && standsInBody(type as string)) expect(isThere).toBe(true);
  });
});
