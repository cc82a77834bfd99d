import { clean, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../../providers/describing/describe.ts';
import { notable } from './notable.ts';

/**
 * Describes an envelope: a body with a type, a time and data, as in Standard Webhooks, Svix,
 * CloudEvents and Resend. The explanation's first sentence has already named the type.
 */
export const describeEnvelope: Describe = ({ event, facts, type }) => {
  if (type === null) return [];
  const data = ['data', 'payload', 'content', 'resource']
    .map((name) => facts.at(name))
    .find(({ value }) => typeof value === 'object' && value !== null);
  const about = notable(data ? data.value : facts.value);
  const id = ['webhook-id', 'svix-id', 'ce-id']
    .map((name) => event.headers.get(name))
    .find((text) => text !== undefined);
  const source = event.headers.get('ce-source') ?? facts.text('source');
  return sentences(
    opt`It comes from ${source ? clean(source) : null}.`,
    about.length > 0 && `What it is about: ${listed(about, 7)}.`,
    opt`The message id is ${id ? clean(id, 80) : null}${opt`, its time ${facts.time('timestamp') ?? facts.time('created_at') ?? facts.time('time')}`}.`,
  );
};
