import { counted, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';

/** Several of HubSpot's events come in one request: https://developers.hubspot.com/docs/api/webhooks */
export const describeHubspot: Describe = ({ facts }) => {
  const list = facts.items('', 100);
  const [first] = list;
  if (!first) return [];
  const kinds = [...new Set(list.flatMap((item) => item.text('subscriptionType') ?? []))];
  return sentences(
    `HubSpot reports ${counted(facts.count(''), 'change')} (${listed(kinds)}) in the account ${first.text('portalId') ?? '?'}.`,
    opt`The first is of object ${first.text('objectId')}${opt`: ${first.text('propertyName')} is now ${first.quote('propertyValue') ?? first.text('propertyValue')}`}${opt`, at ${first.time('occurredAt')}`}.`,
  );
};
