import { clean, counted, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';
import { minorAmount } from '../describing/money.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';

/** Fields with an amount, the most important first. */
const STRIPE_AMOUNTS = ['amount_total', 'amount', 'total', 'amount_due', 'unit_amount'];

/** An invoice has all of these, and `amount_paid` is 0 until somebody pays. */
const PAID_INVOICE = ['amount_paid', 'total'];

const OPEN_INVOICE = ['amount_due', 'total'];

const MAX_PRICES = 3;
/**
 * Decimal digits of currencies where Stripe deviates from ISO 4217. ISK and UGX have two decimals
 * for compatibility. MGA has none.
 *
 * https://docs.stripe.com/currencies#zero-decimal
 */
const DIGITS = { ISK: 2, UGX: 2, MGA: 0 };

const STRIPE_LINES = ['description', 'billing_reason'];

/** https://docs.stripe.com/api/events/types: `<object>.<what happened>` */
export const describeStripe: Describe = ({ facts, type }) => {
  // A thin event only refers to its object.
  const object = facts.at(facts.has('data.object') ? 'data.object' : 'related_object');
  if (type === null) return [];
  const kind = worded(
    object.text('object') ?? facts.text('related_object.type') ?? type.split('.')[0] ?? 'object',
  );
  const happened = worded(type.split('.').at(-1) ?? type);
  const money = stripeAmount(object);
  const refunded = minorAmount(
    object.number('amount_refunded') || null,
    object.text('currency'),
    DIGITS,
  );
  const customer = object.first(
    'customer_details.email',
    'customer_email',
    'receipt_email',
    'billing_details.email',
    'email',
    'customer_details.name',
    'billing_details.name',
  );
  const changed = previousNames(facts);
  const isTest = facts.is('livemode', false);
  const status = object.text('status')?.replaceAll('_', ' ') ?? null;
  const shown =
    status === null || happened.startsWith(status) || status === happened ? null : status;
  const id = `${object.text('id') ?? ''}${opt` (number ${object.text('number')})`}`;
  const attempts =
    type === 'invoice.payment_failed' ? object.counted('attempt_count', 'time') : null;
  return sentences(
    `Stripe reports "${type}"${isTest ? ' (test mode)' : ''}: the ${kind} ${id}${opt` over ${money}`} ${happened === 'updated' ? 'was updated' : `is now: ${happened}`}${opt`, status ${shown}`}${opt`, with ${refunded} refunded`}.`,
    stripeParties(object, customer),
    stripePeriod(object),
    opt`Payment was tried ${attempts}${opt`, next on ${object.time('next_payment_attempt')}`}.`,
    opt`It failed for this reason: ${object.first('last_payment_error.message', 'failure_message', 'last_finalization_error.message')}.`,
    changed,
    `Stripe calls the event ${facts.text('id') ?? '?'}${opt`, made ${facts.time('created')}`}${opt`, for API version ${facts.text('api_version')}`}.`,
  );
};

function stripeAmount(object: PayloadReader): string | null {
  const names = !object.is('object', 'invoice')
    ? STRIPE_AMOUNTS
    : object.is('status', 'paid')
      ? PAID_INVOICE
      : OPEN_INVOICE;
  for (const name of names) {
    const money = minorAmount(object.number(name), object.text('currency'), DIGITS);
    if (money !== null) return money;
  }
  const prices = object.items('items.data').flatMap((item) => stripePrice(item) ?? []);
  return prices.length > 0 ? listed(prices, MAX_PRICES) : null;
}

/** Returns the price of a subscription's item: `3 × 29.00 EUR a month`. */
function stripePrice(item: PayloadReader): string | null {
  const price = item.has('price') ? item.at('price') : item.at('plan');
  const each = minorAmount(
    price.number('unit_amount') ?? price.number('amount'),
    price.text('currency'),
    DIGITS,
  );
  if (each === null) return null;
  const count = price.number('recurring.interval_count') ?? price.number('interval_count') ?? 1;
  const interval = price.first('recurring.interval', 'interval');
  const quantity = item.number('quantity') ?? 1;
  const period = interval && (count > 1 ? `every ${counted(count, interval)}` : `a ${interval}`);
  return `${quantity > 1 ? `${quantity} × ` : ''}${each}${opt` ${period}`}`;
}

function stripeParties(object: PayloadReader, customer: string | null): string {
  const id = object.first('customer', 'customer.id');
  const who = customer ?? id;
  const about = STRIPE_LINES.map((path) => object.text(path)).find((text) => text !== null);
  const links = (['payment_intent', 'subscription', 'invoice', 'latest_charge'] as const)
    .map((name) => opt`${worded(name)} ${object.text(name)}`)
    .filter((text) => text !== '');
  const parts = [
    opt`the customer is ${who}${customer && id ? ` (${id})` : ''}`,
    opt`it is about ${about ? `"${about}"` : null}`,
    links.length > 0 ? `it belongs to ${listed(links)}` : '',
  ].filter((text) => text !== '');
  const text = parts.join('; ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function stripePeriod(object: PayloadReader): string {
  const end = object.time('items.data.0.current_period_end') ?? object.time('current_period_end');
  if (!object.is('object', 'subscription')) return '';
  const reason = object.text('cancellation_details.reason')?.replaceAll('_', ' ') ?? null;
  if (object.is('cancel_at_period_end', true)) {
    return opt`It ends with its period, ${end}${opt` (${reason})`}.`;
  }
  return opt`Its present period runs until ${end}.`;
}

function previousNames(facts: PayloadReader): string {
  const { value } = facts.at('data.previous_attributes');
  if (typeof value !== 'object' || value === null) return '';
  const names = Object.keys(value).map((name) => clean(name, 40));
  return names.length > 0 ? `What changed: ${listed(names)}.` : '';
}
