import type { ProviderBody } from './provider-bodies.ts';

/* What money a payload is about, and whose. Shapes from documentation, values made up. */

const stripe = (type: string, object: object, more: object = {}) => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2026-06-24',
  created: 1795251540,
  livemode: true,
  type,
  data: { object },
  ...more,
});

const invoice = {
  id: 'in_1',
  object: 'invoice',
  number: 'A-0001',
  currency: 'usd',
  amount_due: 2000,
  amount_paid: 0,
  amount_remaining: 2000,
  total: 2000,
  status: 'open',
  attempt_count: 2,
  next_payment_attempt: 1795510740,
};

const order = {
  name: '#1001',
  total_price: '54.80',
  currency: 'EUR',
  customer: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' },
  line_items: [{ quantity: 3, name: 'Tea', price: '19.99' }],
};

export const MONEY_BODIES: ProviderBody[] = [
  [
    'Stripe, an invoice that was not paid',
    {},
    stripe('invoice.payment_failed', invoice),
    ['20.00 USD', 'A-0001', 'tried 2 times', '2026-11-24 08:59:00 UTC'],
    ['0.00 USD over', ' 0.00 USD'],
  ],
  [
    'Stripe, an invoice that was paid in part',
    {},
    stripe('invoice.paid', { ...invoice, amount_paid: 1500, status: 'paid' }),
    ['over 15.00 USD'],
    ['20.00 USD'],
  ],
  [
    'Stripe, a subscription of several',
    {},
    stripe('customer.subscription.created', {
      id: 'sub_1',
      object: 'subscription',
      items: {
        data: [
          {
            quantity: 3,
            price: { unit_amount: 1999, currency: 'eur', recurring: { interval: 'month' } },
          },
        ],
      },
    }),
    ['3 × 19.99 EUR a month'],
    [],
  ],
  [
    'Stripe, a thin event',
    { 'Stripe-Signature': 't=1,v1=0' },
    {
      id: 'evt_2',
      object: 'v2.core.event',
      type: 'v1.billing.meter.no_meter_found',
      livemode: true,
      created: '2026-11-20T07:30:54.000Z',
      related_object: { id: 'mtr_1', type: 'billing.meter', url: '/v1/billing/meters/mtr_1' },
    },
    ['v1.billing.meter.no_meter_found', 'billing meter mtr_1', '2026-11-20 07:30:54 UTC'],
    [],
  ],
  [
    'Stripe, a reason that ends with a full stop',
    {},
    stripe('charge.failed', {
      id: 'ch_1',
      object: 'charge',
      amount: 100,
      currency: 'usd',
      failure_message: 'Your card was declined.',
    }),
    ['Your card was declined. Stripe calls'],
    ['..'],
  ],
  [
    'Paddle, several of an item',
    { 'Paddle-Signature': 'ts=1;h1=0' },
    {
      event_type: 'transaction.completed',
      data: { id: 'txn_1', items: [{ quantity: 3, price: { name: 'Pro, monthly' } }] },
    },
    ['3 × Pro, monthly'],
    [],
  ],
  [
    'Shopify, an order cancelled',
    { 'X-Shopify-Topic': 'orders/cancelled', 'X-Shopify-Shop-Domain': 'shop.example' },
    { ...order, cancel_reason: 'inventory', cancelled_at: '2026-11-20T07:30:54+01:00' },
    ['order #1001 of Ada Example', 'was cancelled', '"inventory"', '3 × Tea at 19.99'],
    ['by Ada'],
  ],
  [
    'Shopify, a reason without a cancellation',
    { 'X-Shopify-Topic': 'orders/updated', 'X-Shopify-Shop-Domain': 'shop.example' },
    { ...order, cancel_reason: 'inventory', cancelled_at: null },
    ['order #1001 of Ada Example', 'was updated'],
    ['inventory', 'reason'],
  ],
  [
    'WooCommerce, an order updated',
    { 'X-WC-Webhook-Topic': 'order.updated' },
    { number: '7', total: '5.00', currency: 'EUR', billing: { first_name: 'Ada' } },
    ['order 7 of Ada', 'was updated'],
    ['by Ada'],
  ],
  [
    'somebody who may count cents',
    {},
    { event: 'order.paid', data: { amount: 4990, currency: 'EUR' } },
    ['4990 in EUR or its smallest unit', '"order.paid"'],
    ['4,990', '49.90', '(order paid)'],
  ],
  [
    'somebody who counts euros',
    {},
    { event: 'order.paid', data: { amount: 40, fee: 1.5, currency: 'EUR' } },
    ['40 EUR', '1.5 EUR'],
    ['smallest'],
  ],
  [
    'somebody who counts yen',
    {},
    { event: 'order.paid', data: { amount: 4990, currency: 'JPY' } },
    ['4,990 JPY'],
    ['smallest'],
  ],
  [
    'somebody who sells several',
    {},
    { order_id: 'o-1', lines: [{ sku: 't-1', quantity: 3, price: 19.99, currency: 'EUR' }] },
    ['lines.0.price 3 × 19.99 EUR'],
    [],
  ],
  [
    'somebody whose API has dates for versions',
    {},
    { event: 'a.b', data: { id: 'x-1', api_version: '2026-06-24', due_date: '2026-12-01' } },
    ['due_date 2026-12-01', 'x-1'],
    ['api_version 2026', '2026-06-24', '00:00:00'],
  ],
  [
    'a time without a zone',
    {},
    { event: 'a.b', data: { paid_at: '2026-12-01 10:30:00' } },
    ['paid_at 2026-12-01 10:30:00'],
    ['10:30:00 UTC', '09:30:00 UTC'],
  ],
];
