import type { Provider } from '../provider.ts';

export const awsSns = {
  name: 'aws-sns',
  title: 'Amazon SNS',
  marks: [{ header: 'x-amz-sns-message-type', isType: true, rank: 3 }],
  shapes: [(o) => (o('TopicArn') && o('MessageId') ? o('Type') : undefined)],
} satisfies Provider;
