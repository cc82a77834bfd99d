import { opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';

/** https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export const describeSns: Describe = ({ facts }) => {
  const topic = facts.text('TopicArn')?.split(':').at(-1) ?? '?';
  if (facts.is('Type', 'SubscriptionConfirmation')) {
    return [
      `Amazon SNS asks whether this URL wants the messages of the topic ${topic}.`,
      'Nothing comes until the SubscribeURL in the body is opened. hookrelay opens it for an endpoint whose source has this TopicArn.',
    ];
  }
  return sentences(
    `Amazon SNS passes on a message of the topic ${topic}${opt`: ${facts.quote('Subject')}`}${opt`, ${facts.quote('Message', 200)}`}.`,
    opt`It is message ${facts.text('MessageId')} of ${facts.time('Timestamp')}.`,
  );
};
