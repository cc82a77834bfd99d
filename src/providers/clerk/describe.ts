import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

/** https://clerk.com/docs/webhooks/overview, sent through Svix */
export const describeClerk: Describe = ({ facts }) => {
  const kind = facts.text('type');
  if (kind === null) return [];
  const data = facts.at('data');
  const name = [data.text('first_name'), data.text('last_name')].filter((part) => part !== null);
  const email = data.first('email_addresses.0.email_address', 'email_address');
  return sentences(
    `Clerk reports ${kind}: the ${worded(data.text('object') ?? kind.split('.')[0] ?? 'object')} ${data.text('id') ?? ''}${opt` of ${name.join(' ') || null}`}${opt` (${email})`}.`,
    opt`It belongs to the instance ${facts.text('instance_id')}.`,
  );
};
