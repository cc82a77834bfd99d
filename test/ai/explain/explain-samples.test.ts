import { describe, expect, test } from 'vitest';
import { explainEvent } from '../../../src/ai/explain/explain-event.ts';
import { failureText } from '../../../src/core/proof/failure-text.ts';
import { findSample } from '../../../src/providers/find-sample.ts';
import { SAMPLES } from '../../../src/providers/samples.ts';
import { eventOf, eventOfSample } from './ai-event.ts';
import { CODE_HOST_BODIES } from './code-host-bodies.ts';
import { MONEY_BODIES } from './money-bodies.ts';
import { PROVIDER_BODIES } from './provider-bodies.ts';

/** What a reader must learn from each sample of `hookrelay trigger`. */
const SAMPLE_FACTS: Record<string, string[]> = {
  'github.push': ['GitHub', 'push', '2 commits', 'main', 'example-org/webshop', 'Show taxes'],
  'github.pull_request': ['opened', '#131', 'cart-taxes to main', '+84 -31 lines'],
  'github.issues': ['grace-example', '#128', 'the label bug', 'ada-example'],
  'github.release': ['published', '2.4.0', 'v2.4.0'],
  'github.ping': ['ping', 'push and pull_request'],
  'stripe.payment_intent.succeeded': ['Stripe', '49.90 EUR', 'ada@example.com', 'test mode', 'pi_'],
  'stripe.checkout.session.completed': ['49.90 EUR', 'checkout session', 'cus_'],
  'stripe.invoice.paid': ['29.00 EUR', 'in_', 'number'],
  'stripe.charge.refunded': ['49.90 EUR refunded', 'amount_refunded'],
  'stripe.customer.subscription.updated': ['29.00 EUR a month', 'ends with its period'],
  'shopify.orders.create': ['Shopify', '#1001', '54.80 EUR', '2 × Plain T-Shirt', 'Ada Example'],
  'shopify.products.update': ['Plain T-Shirt', '24.95', '2 variants'],
  'slack.message': ['Slack', 'Order 1001 is packed', 'channel C', 'workspace T'],
  'slack.url_verification': ['checks that this URL is yours', 'answered its challenge'],
  'gitlab.push': ['GitLab', '1 commit', 'main', 'example-group/webshop'],
  'gitlab.merge_request': ['opened', '!131', 'cart-taxes to main'],
  'twilio.message': ['Twilio', '+14155550142', 'When will order 1001 arrive'],
  'twilio.call': ['phone call', 'ringing', '+14155550100'],
  'sendgrid.events': ['SendGrid', '4 events', '1 bounce', 'nobody@example.com', '550 5.1.1'],
  'standard.user.created': ['Standard Webhooks', 'user.created', 'ada@example.com', 'user_'],
};

test.each(SAMPLES.map(({ name }) => name))('%s is explained with its important values', (name) => {
  const facts = SAMPLE_FACTS[name];
  if (!facts) throw new Error(`say above what a reader must learn from ${name}`);
  const text = explainEvent(eventOfSample(findSample(name)));
  for (const fact of facts) expect(text).toContain(fact);
  expect(text).toContain('2026-11-21 09:00:00 UTC');
  // Two to five sentences; quotations and dotted names make it look like more.
  expect(text.length).toBeLessThan(1500);
  expect(text).not.toMatch(/undefined|\[object|NaN|null/);
});

const json = { 'content-type': 'application/json' };

test.each([...PROVIDER_BODIES, ...CODE_HOST_BODIES, ...MONEY_BODIES])(
  '%s is explained with its important values',
  (_, headers, body, facts, wrong = []) => {
    const text = explainEvent(eventOf({ headers: { ...json, ...headers }, body }));
    for (const fact of facts) expect(text).toContain(fact);
    for (const words of wrong) expect(text).not.toContain(words);
    expect(text).not.toMatch(/undefined|\[object|NaN/);
  },
);

test.each([
  [
    { 'x-github-event': 'pull_request' },
    { pull_request: { commits: 1, changed_files: 1, head: { ref: 'a' }, base: { ref: 'b' } } },
    '(1 commit, 1 file)',
  ],
  [
    { 'x-github-event': 'pull_request' },
    { pull_request: { commits: 1234, changed_files: 0, head: { ref: 'a' }, base: { ref: 'b' } } },
    '(1,234 commits, 0 files)',
  ],
  [
    { 'x-github-event': 'pull_request' },
    { pull_request: { commits: 'x', changed_files: -1, head: { ref: 'a' }, base: { ref: 'b' } } },
    'from a to b.',
  ],
  [
    { 'x-github-event': 'star' },
    { repository: { full_name: 'a/b', stargazers_count: 1 } },
    'has 1 star.',
  ],
  [
    { 'x-shopify-topic': 'customers/update' },
    { orders_count: 1, total_spent: '5.00', currency: 'EUR' },
    'They have placed 1 order for 5.00 EUR.',
  ],
  [
    { 'x-shopify-topic': 'orders/create' },
    { line_items: Array.from({ length: 5 }, () => ({ quantity: 1, name: 'Tea' })) },
    'and 1 more line.',
  ],
  [
    { 'sentry-hook-resource': 'issue' },
    { data: { issue: { shortId: 'WEB-1', count: '1' } } },
    'seen 1 time.',
  ],
  [
    { 'x-zm-signature': 'v0=0' },
    {
      event: 'meeting.started',
      payload: { object: { duration: 1, start_time: '2026-11-21T08:00:00Z' } },
    },
    'to last 1 minute.',
  ],
])('a count of one is in the singular: case %#', (headers, body, expected) => {
  expect(explainEvent(eventOf({ headers, body }))).toContain(expected);
});

describe('events of unknown senders', () => {
  const tell = (parts: Parameters<typeof eventOf>[0]) => explainEvent(eventOf(parts));

  test('are explained by the structure of their JSON', () => {
    const text = tell({
      headers: { ...json, 'user-agent': 'shop/1.0' },
      body: {
        order_id: 12345,
        customer: { name: 'Ada', email: 'ada@example.com', password: 'hunter2', api_key: 'k-1' },
        amount_cents: 4990,
        currency: 'EUR',
        created_at: '2026-11-20T10:00:00Z',
        lines: [1, 2, 3],
        status: 'open',
      },
    });
    expect(text).toContain('does not recognise (shop/1.0)');
    expect(text).toContain('7 fields: order_id, customer (object), amount_cents');
    expect(text).toContain('lines (array of 3)');
    expect(text).toContain('customer.name "Ada"');
    expect(text).toContain('ada@example.com');
    expect(text).toContain('49.90 EUR');
    expect(text).toContain('order_id 12345');
    expect(text).toContain('2026-11-20 10:00:00 UTC');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('k-1');
  });

  test.each(['\n{"id": 1}', ''])('numbers past 2^53 are shown exactly, before %j', (rest) => {
    expect(tell({ headers: json, body: `{"id": 12345678901234567890}${rest}` })).toContain(
      'id 12345678901234567890',
    );
  });

  test.each([
    ['nothing', undefined, {}, 'It has no body.'],
    ['an array', [1, 2], json, 'a JSON array of 2 items, the first a number'],
    ['an empty object', {}, json, 'a JSON object with no fields'],
    ['JSON after a byte order mark', '\ufeff{"a":1}', json, 'a JSON object with 1 field: a'],
    [
      'NDJSON',
      '{"a":1}\n\n{"b":2}\n',
      json,
      'NDJSON, one JSON document a line: 2 items, the first',
    ],
    ['lines of numbers', '1\n2\n', json, 'begins: "1 2"'],
    ['a JSON string', '"hello"', json, 'JSON: a string "hello"'],
    ['JSON null', 'null', json, 'JSON: null'],
    ['text', 'hello\nworld', { 'content-type': 'text/plain' }, 'begins: "hello world"'],
    ['XML', '<?xml version="1.0"?><order id="1"/>', {}, 'XML with the root element order'],
    ['HTML', '<!DOCTYPE html><p>x', {}, 'an HTML page'],
    ['broken JSON', '{"a": ', json, 'begins like JSON but is not valid'],
    [
      'a form',
      'a=1&email=ada%40example.com',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'a form with 2 fields: a and email',
    ],
    [
      'a PNG',
      Buffer.from('89504e470d0a1a0aff', 'hex'),
      { 'content-type': 'image/png' },
      'a PNG image',
    ],
    ['bytes', Buffer.from([0xff, 0xfe, 0]), {}, 'binary data of 3 B'],
    [
      'a multipart form',
      '--x\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
      'a multipart form',
    ],
  ])('%s', (_, body, headers, expected) => {
    expect(tell({ headers: headers as Record<string, string>, body })).toContain(expected);
  });

  test('handshakes are explained as handshakes', () => {
    const meta = tell({ method: 'GET', query: 'hub.mode=subscribe&hub.challenge=1' });
    expect(meta).toContain('Meta');
    expect(tell({ query: 'validationToken=x' })).toContain('Microsoft Graph');
  });
});

/** Every text with a full stop at its end, like sentences that people write. */
function stopped(value: unknown): unknown {
  if (typeof value === 'string') return `${value}.`;
  if (Array.isArray(value)) return value.map(stopped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, stopped(child)]));
}

test.each([...PROVIDER_BODIES, ...CODE_HOST_BODIES, ...MONEY_BODIES])(
  '%s with a full stop after each text shows no double full stop',
  (_, headers, body) => {
    const parts = typeof body === 'string' ? { body } : { body: stopped(body) };
    const text = explainEvent(eventOf({ headers: { ...json, ...headers }, ...parts }));
    expect(text).not.toMatch(/[.!?…]["')]?\.(?: |$)/);
  },
);

test('an event that failed says so, and why', () => {
  const event = eventOf({ body: { a: 1 } });
  expect(explainEvent(event)).not.toContain('verified');
  const { says, hint } = failureText('url_mismatch');
  const failure = { reason: 'url_mismatch' as const, says, hint };
  expect(explainEvent({ ...event, failure })).toMatch(
    / Its sender isn't verified \(url_mismatch\): it is signed for another URL\.$/,
  );
});
