import { opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';

/** https://developer.pagerduty.com/docs/webhooks-overview */
export const describePagerduty: Describe = ({ facts, type }) => {
  if (type === null) return [];
  const data = facts.at('event.data');
  return sentences(
    `PagerDuty reports ${type}${opt`: incident #${data.text('number')}`}${opt` ${data.quote('title') ?? data.quote('summary')}`}${opt` is ${data.text('status')}`}.`,
    opt`It concerns the service ${data.text('service.summary')}${opt`, urgency ${data.text('urgency')}`}${opt`, assigned to ${data.text('assignees.0.summary')}`}.`,
    opt`It happened ${facts.time('event.occurred_at')}${opt`, by ${facts.text('event.agent.summary')}`}.`,
  );
};
