import { listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';

/**
 * Paths of the person who acted, the most reliable first. Comment and worklog events have no
 * `user`.
 */
const JIRA_ACTORS = [
  'user.displayName',
  'comment.updateAuthor.displayName',
  'comment.author.displayName',
  'worklog.updateAuthor.displayName',
  'worklog.author.displayName',
  'user.name',
  'user.accountId',
];

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
export const describeJira: Describe = ({ facts, type }) => {
  const kind = facts.text('webhookEvent') ?? type;
  if (kind === null) return [];
  const fields = facts.at('issue.fields');
  const changes = facts
    .items('changelog.items')
    .map(
      (item) =>
        `${item.text('field') ?? '?'} from ${item.quote('fromString') ?? 'nothing'} to ${item.quote('toString') ?? 'nothing'}`,
    );
  return sentences(
    `${opt`${facts.first(...JIRA_ACTORS)}: `}${worded(kind.replace(/^jira:/, ''))}${opt`, ${facts.text('issue.key')}`}${opt` ${fields.quote('summary')}`} in Jira.`,
    opt`It is ${fields.text('status.name')}${opt`, priority ${fields.text('priority.name')}`}${opt`, assigned to ${fields.text('assignee.displayName')}`}.`,
    changes.length > 0 && `What changed: ${listed(changes, 4)}.`,
    opt`The comment: ${facts.quote('comment.body', 160)}.`,
  );
};
