import { entryOf } from '../../core/entry-of.ts';
import { counted, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';
import { decimalAmount } from '../describing/money.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';
import { lineOf, person } from '../describing/purchase.ts';

const MAX_LINES = 4;

/** https://shopify.dev/docs/api/webhooks: topics are `<resource>/<what happened>` */
export const describeShopify: Describe = ({ event, facts, type }) => {
  const shop = event.headers.get('x-shopify-shop-domain')?.slice(0, 100) ?? 'the shop';
  const [resource = '', happened = ''] = (type ?? '').split('/');
  const isTest = event.headers.get('x-shopify-test') === 'true' || facts.is('test', true);
  const tail = isTest ? 'It is a test.' : '';
  if (facts.has('line_items') && /^(orders|draft_orders|checkouts)/.test(resource)) {
    return sentences(...order(facts, shop, happened), tail);
  }
  if (resource === 'products' && facts.has('title')) {
    const prices = facts
      .items('variants')
      .map(
        (variant) =>
          opt`${variant.text('title')} at ${decimalAmount(variant.text('price'), null)}${opt` (${variant.text('inventory_quantity')} in stock)`}`,
      )
      .filter((text) => text !== '');
    return sentences(
      `The product ${facts.quote('title') ?? ''} (${facts.text('id') ?? '?'}) of ${shop} was ${past(happened)}${opt`, and is ${facts.text('status')}`}.`,
      prices.length > 0 &&
        `It has ${counted(facts.count('variants'), 'variant')}: ${listed(prices, MAX_LINES)}.`,
      tail,
    );
  }
  if (resource === 'customers') {
    return sentences(
      `The customer ${person(facts) ?? ''} (${facts.text('id') ?? '?'}) of ${shop} was ${past(happened)}.`,
      opt`They have placed ${facts.counted('orders_count', 'order')} for ${decimalAmount(facts.text('total_spent'), facts.text('currency'))}.`,
      tail,
    );
  }
  if (resource === 'refunds') {
    const money = decimalAmount(
      facts.text('transactions.0.amount'),
      facts.text('transactions.0.currency'),
    );
    return sentences(
      `${money ?? 'Something'} of order ${facts.text('order_id') ?? '?'} was refunded in ${shop}${opt`: ${facts.quote('note')}`}.`,
      tail,
    );
  }
  return type === null
    ? []
    : sentences(
        `Shopify reports ${worded(type)} in ${shop}${opt` (${facts.first('name', 'title', 'id')})`}.`,
        tail,
      );
};

function order(facts: PayloadReader, shop: string, happened: string): string[] {
  const total = decimalAmount(
    facts.first('total_price', 'current_total_price'),
    facts.first('currency', 'presentment_currency'),
  );
  const lines = facts.items('line_items').map(lineOf);
  const customer = person(facts.at('customer')) ?? facts.first('email', 'contact_email');
  const city = [facts.text('shipping_address.city'), facts.text('shipping_address.country')];
  return sentences(
    `The order ${facts.first('name', 'order_number', 'id') ?? ''}${opt` of ${customer}`} over ${total ?? 'an unknown amount'} in ${shop} was ${past(happened)}${opt`, for the reason "${cancelReason(facts)}"`}.`,
    lines.length > 0 &&
      `It is for ${listed([...lines.slice(0, MAX_LINES), ...moreThan(facts.count('line_items'))], MAX_LINES + 1)}.`,
    `Payment is ${worded(facts.text('financial_status') ?? 'not stated')}, fulfilment ${worded(facts.text('fulfillment_status') ?? 'not begun')}${opt`, and it goes to ${city.filter((part) => part !== null).join(', ') || null}`}.`,
  );
}

/** Returns null for an order that isn't cancelled: without `cancelled_at`, a reason says nothing. */
function cancelReason(facts: PayloadReader): string | null {
  return facts.text('cancelled_at') === null ? null : facts.text('cancel_reason');
}

function moreThan(count: number): string[] {
  return count > MAX_LINES ? [counted(count - MAX_LINES, 'more line')] : [];
}

function past(happened: string): string {
  const known: Record<string, string> = {
    create: 'created',
    update: 'updated',
    updated: 'updated',
    delete: 'deleted',
    paid: 'paid',
    cancelled: 'cancelled',
    fulfilled: 'fulfilled',
    partially_fulfilled: 'partially fulfilled',
    edited: 'edited',
  };
  return entryOf(known, happened) || worded(happened) || 'changed';
}
