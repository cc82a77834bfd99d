import { opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
export const describeSentry: Describe = ({ facts, type }) => {
  const action = facts.text('action');
  const issue = facts.has('data.issue') ? facts.at('data.issue') : facts.at('data.event');
  if (!facts.has('data')) return [];
  return sentences(
    `Sentry reports ${worded(type ?? 'something')}${opt` (${action})`}${opt`: ${issue.quote('title') ?? issue.quote('message')}`}${opt` in ${issue.first('culprit', 'project.slug', 'project')}`}.`,
    opt`It is ${issue.text('shortId')}${opt`, level ${issue.text('level')}`}${opt`, seen ${issue.counted('count', 'time')}`}${opt`, status ${issue.text('status')}`}.`,
    opt`See ${issue.first('web_url', 'permalink', 'url')}.`,
  );
};
