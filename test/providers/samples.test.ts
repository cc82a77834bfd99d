import { describe, expect, test } from 'vitest';
import { findSample } from '../../src/providers/find-sample.ts';
import { SAMPLES } from '../../src/providers/samples.ts';
import { composeSample } from '../../src/providers/sampling/compose-sample.ts';
import type { Sample } from '../../src/providers/sampling/sample.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';

const clock = new ManualClock();

/** Random-looking numbers, the same each time. */
function seeded(seed: number): (count: number) => Uint8Array {
  let state = seed;
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state >> 16;
    });
}

function compose(sample: Sample, overrides: Partial<Parameters<typeof composeSample>[1]> = {}) {
  return composeSample(sample, {
    url: 'https://hooks.example.com/in/abc',
    secret: null,
    overrides: [],
    add: false,
    nowMs: clock.now(),
    randomBytes: seeded(7),
    ...overrides,
  });
}

describe.each(SAMPLES)('$name', (sample) => {
  test('is equal for the same moment and bytes, and new otherwise', () => {
    const once = compose(sample);
    const again = compose(sample);
    expect(again.body).toEqual(once.body);
    // ECDSA signs with a new random number.
    if (sample.provider !== 'sendgrid') expect(again.headers).toEqual(once.headers);
    expect(compose(sample, { randomBytes: seeded(8) }).body).not.toEqual(once.body);
    const later = compose(sample, { nowMs: clock.now() + 3_600_000 });
    if (sample.name !== 'slack.url_verification' && sample.provider !== 'twilio') {
      expect(later.body).not.toEqual(once.body);
    }
  });

  test('names no real person or account', () => {
    const text = decodeURIComponent(compose(sample).body.toString('utf8').replaceAll('+', ' '));
    const mails = text.match(/[\w.+-]+@[\w.-]+\.\w+/g) ?? [];
    const allowed = /@((\w+\.)?example\.com|github\.com)$/;
    expect(mails.filter((mail) => !allowed.test(mail))).toEqual([]);
  });
});

describe('payloads', () => {
  const parsed = (name: string) => JSON.parse(compose(findSample(name)).body.toString('utf8'));

  test.each(['stripe.invoice.paid', 'sendgrid.events'])(
    '%s is formatted as the real one; reformatted, it would not verify',
    (name) => {
      const text = compose(findSample(name)).body.toString('utf8');
      expect(JSON.stringify(JSON.parse(text))).not.toBe(text);
    },
  );

  test('objects refer to each other', () => {
    const { object: intent } = parsed('stripe.payment_intent.succeeded').data;
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`));
    const { object: invoice } = parsed('stripe.invoice.paid').data;
    const [line] = invoice.lines.data;
    expect(line.invoice).toBe(invoice.id);
    expect(invoice.parent.subscription_details.subscription).toBe(line.subscription);
    const { data } = parsed('stripe.customer.subscription.updated');
    expect(data.object).toMatchObject({ cancel_at_period_end: true });
    expect(data.previous_attributes).toMatchObject({ cancel_at_period_end: false });
    const push = parsed('github.push');
    expect(push.after).toBe(push.head_commit.id);
    expect(push.commits.at(-1)).toEqual(push.head_commit);
    const ping = compose(findSample('github.ping'));
    const { hook_id, hook } = JSON.parse(ping.body.toString('utf8'));
    expect(ping.headers[ping.headers.indexOf('X-GitHub-Hook-ID') + 1]).toBe(String(hook_id));
    expect(hook.id).toBe(hook_id);
  });

  test('amounts add up', () => {
    const cents = (text: string) => Math.round(Number(text) * 100);
    const order = parsed('shopify.orders.create');
    const items = order.line_items.reduce(
      (sum: number, item: { price: string; quantity: number }) =>
        sum + cents(item.price) * item.quantity,
      0,
    );
    expect(items).toBe(cents(order.subtotal_price));
    const shipping = cents(order.shipping_lines[0].price);
    expect(items + shipping).toBe(cents(order.total_price));
    const taxes = [...order.line_items, ...order.shipping_lines].flatMap((line) => line.tax_lines);
    const tax = taxes.reduce((sum: number, { price }: { price: string }) => sum + cents(price), 0);
    expect(tax).toBe(cents(order.total_tax));
  });

  test('every name needs no quotes in a shell, and is unique', () => {
    const names = SAMPLES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(\.[a-z_]+)+$/.test(name))).toEqual([]);
  });
});

test('headers are those that GitHub documents', () => {
  const { headers } = compose(findSample('github.push'));
  const names = headers.filter((_, i) => i % 2 === 0);
  expect(names).toEqual([
    'Accept',
    'Content-Type',
    'User-Agent',
    'X-GitHub-Delivery',
    'X-GitHub-Event',
    'X-GitHub-Hook-ID',
    'X-GitHub-Hook-Installation-Target-ID',
    'X-GitHub-Hook-Installation-Target-Type',
    'X-Hub-Signature',
    'X-Hub-Signature-256',
  ]);
  expect(headers[headers.indexOf('X-GitHub-Delivery') + 1]).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

describe('findSample', () => {
  test.each([
    ['github.push', 'github.push'],
    ['GitHub.Push', 'github.push'],
    ['shopify.orders/create', 'shopify.orders.create'],
  ])('%s finds %s', (typed, name) => {
    expect(findSample(typed).name).toBe(name);
  });

  test.each([
    ['github.psuh', 'did you mean github.push?'],
    ['github.pull-request', 'did you mean github.pull_request?'],
    ['stripe.invoice.payed', 'did you mean stripe.invoice.paid?'],
    ['shopify.order.create', 'did you mean shopify.orders.create?'],
    ['push', 'did you mean github.push or gitlab.push?'],
    ['twilio', 'did you mean twilio.message or twilio.call?'],
    ['charge.refunded', 'did you mean stripe.charge.refunded?'],
    ['paypal.checkout', 'hookrelay trigger --list shows all'],
    ['', 'hookrelay trigger --list shows all'],
  ])('%j: %s', (typed, hint) => {
    expect(() => findSample(typed)).toThrow(
      expect.objectContaining({ code: 'config_invalid', hint }),
    );
  });
});
