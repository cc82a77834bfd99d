import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';
import { decimalAmount } from '../describing/money.ts';

/** https://developer.paypal.com/api/rest/webhooks/event-names/ */
export const describePaypal: Describe = ({ facts, type }) => {
  if (type === null) return [];
  const resource = facts.at('resource');
  const money =
    decimalAmount(resource.text('amount.value'), resource.text('amount.currency_code')) ??
    decimalAmount(resource.text('amount.total'), resource.text('amount.currency')) ??
    decimalAmount(
      resource.text('purchase_units.0.amount.value'),
      resource.text('purchase_units.0.amount.currency_code'),
    );
  const payer = resource.first('payer.email_address', 'subscriber.email_address', 'payer.payer_id');
  return sentences(
    `PayPal reports ${type}${opt`: ${facts.text('summary')?.replace(/\.$/, '') ?? null}`}.`,
    `The ${worded(facts.text('resource_type') ?? 'resource')} ${resource.text('id') ?? ''} is ${resource.first('status', 'state')?.toLowerCase() ?? 'in no stated condition'}${opt` over ${money}`}${opt`, payer ${payer}`}.`,
    opt`It is event ${facts.text('id')}, made ${facts.time('create_time')}.`,
  );
};
