import { listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';
import { decimalAmount } from '../describing/money.ts';
import { lineOf, person } from '../describing/purchase.ts';

const MAX_LINES = 4;

/** https://woocommerce.com/document/webhooks/: topics are `<resource>.<what happened>` */
export const describeWoocommerce: Describe = ({ event, facts, type }) => {
  const shop = event.headers.get('x-wc-webhook-source')?.slice(0, 100) ?? 'the shop';
  if (type?.startsWith('order.')) {
    const money = decimalAmount(facts.text('total'), facts.text('currency'));
    const lines = facts.items('line_items').map(lineOf);
    return sentences(
      `The order ${facts.first('number', 'id') ?? ''}${opt` of ${person(facts.at('billing'))}`} over ${money ?? 'an unknown amount'} at ${shop} was ${type.slice(6)}.`,
      lines.length > 0 && `It is for ${listed(lines, MAX_LINES)}.`,
      opt`Its status is ${facts.text('status')}${opt`, paid by ${facts.text('payment_method_title')}`}.`,
    );
  }
  return type === null
    ? []
    : [`WooCommerce reports ${worded(type)} at ${shop}${opt` (${facts.first('name', 'id')})`}.`];
};
