const TOPIC_ARN =
  /^arn:aws(?<partition>-cn|-us-gov|-iso[a-z-]*)?:sns:(?<region>[a-z0-9-]{3,40}):\d{12}:[\w-]{1,256}(?:\.fifo)?$/;

export function isTopicArn(text: string): boolean {
  return TOPIC_ARN.test(text);
}

/** Returns the host of SNS in a topic's region. Returns null if the text isn't a TopicArn. */
export function hostOfTopic(topicArn: string): string | null {
  const { region, partition } = TOPIC_ARN.exec(topicArn)?.groups ?? {};
  if (region === undefined) return null;
  return `sns.${region}.amazonaws.com${partition === '-cn' ? '.cn' : ''}`;
}
