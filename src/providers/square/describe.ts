import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';
import { minorAmount } from '../describing/money.ts';

/** https://developer.squareup.com/docs/webhooks/v2webhook-events-tech-ref */
export const describeSquare: Describe = ({ facts, type }) => {
  if (type === null) return [];
  const kind = facts.text('data.type') ?? type.split('.')[0] ?? 'object';
  const { value } = facts.at('data.object');
  const [name] = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const object = facts.at(`data.object.${name}`);
  const money = ['total_money', 'amount_money', 'payment_requests.0.computed_amount_money']
    .map((path) => minorAmount(object.number(`${path}.amount`), object.text(`${path}.currency`)))
    .find((text) => text !== null);
  return sentences(
    `Square reports ${type}: the ${worded(kind)} ${facts.text('data.id') ?? ''}${opt` over ${money}`} is ${object.first('status', 'state')?.toLowerCase() ?? 'changed'}.`,
    opt`It belongs to merchant ${facts.text('merchant_id')}${opt`, order ${object.text('order_id')}`}${opt`, customer ${object.text('customer_id')}`}.`,
  );
};
