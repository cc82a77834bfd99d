import { counted, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';
import { minorAmount } from '../describing/money.ts';

/** https://developer.paddle.com/webhooks/overview: amounts are strings in the smallest unit. */
export const describePaddle: Describe = ({ facts, type }) => {
  if (type === null) return [];
  const data = facts.at('data');
  const money = minorAmount(data.number('details.totals.grand_total'), data.text('currency_code'));
  const names = data.items('items').map((item) => {
    const quantity = item.number('quantity') ?? 1;
    const name = item.first('price.name', 'product.name') ?? 'something';
    return quantity > 1 ? `${quantity} × ${name}` : name;
  });
  return sentences(
    `Paddle reports ${type}: ${data.text('id') ?? 'an entity'} is ${data.text('status') ?? 'changed'}${opt` over ${money}`}.`,
    names.length > 0 && `It has ${counted(data.count('items'), 'item')}: ${listed(names)}.`,
    opt`The customer is ${data.text('customer_id')}${opt`, the subscription ${data.text('subscription_id')}`}.`,
  );
};
