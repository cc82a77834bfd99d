import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

/** https://developers.intercom.com/docs/references/webhooks/webhook-models */
export const describeIntercom: Describe = ({ facts, type }) => {
  if (type === null) return [];
  const item = facts.at('data.item');
  const who = item.first('source.author.email', 'source.author.name', 'email', 'name');
  return sentences(
    `Intercom reports ${type}: the ${worded(item.text('type') ?? 'item')} ${item.text('id') ?? ''}${opt` of ${who}`}${opt`, ${item.quote('source.body', 160)}`}.`,
    opt`It belongs to the workspace ${facts.text('app_id')}${opt` and is ${item.text('state')}`}.`,
  );
};
