import type { Provider } from '../provider.ts';
import { snsHandshake } from './handshake.ts';
import { snsProof } from './verify.ts';

export const awsSns = {
  name: 'aws-sns',
  title: 'Amazon SNS',
  marks: [{ header: 'x-amz-sns-message-type', isType: true, rank: 3 }],
  shapes: [(o) => (o('TopicArn') && o('MessageId') ? o('Type') : undefined)],
  proof: snsProof,
  /** A retry has the same id as the first try. */
  once: { by: [['body.MessageId']] },
  handshakes: [snsHandshake],
} satisfies Provider;
