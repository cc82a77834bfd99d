import { accepted } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { type SnsMessage, snsMessage } from './message.ts';
import { hostOfTopic } from './topic.ts';

const TYPE = 'SubscriptionConfirmation';
/** The largest body of a confirmation. A usual one has about 2 KB. */
const MAX_BODY_BYTES = 16 * 1024;

/**
 * SNS sends nothing until somebody requests the `SubscribeURL`. hookrelay requests it.
 *
 * https://docs.aws.amazon.com/sns/latest/dg/http-subscription-confirmation-json.html
 */
export const snsHandshake: Handshake = {
  signed: 'only',
  method: 'POST',
  matches: ({ body }) => body.length <= MAX_BODY_BYTES && body.includes(TYPE),
  answer({ body }) {
    const message = snsMessage(body);
    if (typeof message === 'string' || message.type !== TYPE) return null;
    const url = confirmationUrl(message);
    return url === null ? null : { ...accepted(), effect: { kind: 'confirm', url } };
  },
};

/**
 * Returns the `SubscribeURL` if it confirms the same topic at the SNS host of the topic's region,
 * otherwise null.
 */
function confirmationUrl({ subscribeUrl, topicArn }: SnsMessage): string | null {
  const url = URL.parse(subscribeUrl ?? '');
  if (url?.origin !== `https://${hostOfTopic(topicArn)}` || url.pathname !== '/') return null;
  const isBare = url.username === '' && url.password === '' && url.hash === '';
  const asks = url.searchParams.get('Action') === 'ConfirmSubscription';
  const isOfTopic = url.searchParams.get('TopicArn') === topicArn;
  return isBare && asks && isOfTopic ? url.href : null;
}
