import { opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';

/** https://vercel.com/docs/webhooks/webhooks-api */
export const describeVercel: Describe = ({ facts }) => {
  const kind = facts.text('type');
  if (kind === null) return [];
  const payload = facts.at('payload');
  return sentences(
    `Vercel reports ${kind}${opt` of the project ${payload.first('name', 'deployment.name', 'project.name')}`}${opt`, target ${payload.text('target')}`}.`,
    opt`The deployment is ${payload.first('deployment.url', 'url')}${opt` (${payload.text('deployment.id')})`}.`,
    opt`It comes from the commit ${payload.quote('deployment.meta.githubCommitMessage', 80)}${opt` by ${payload.text('deployment.meta.githubCommitAuthorName')}`}.`,
  );
};
