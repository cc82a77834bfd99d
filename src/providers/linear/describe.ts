import { listed, opt } from '../../core/text/words.ts';
import { deed } from '../describing/actions.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';

const MAX_WORDS = 160;

/** https://linear.app/developers/webhooks */
export const describeLinear: Describe = ({ facts, type }) => {
  const kind = facts.text('type') ?? type;
  if (kind === null) return [];
  const data = dataOf(facts);
  // A comment, a reaction or a session belongs to an issue or a project.
  const issue = data.has('issue') ? data.at('issue') : data.at('project');
  const from = facts.at('updatedFrom').value;
  const changed = typeof from === 'object' && from !== null ? Object.keys(from) : [];
  const number = data.first('identifier', 'number') ?? (titleOf(data) ? null : data.text('id'));
  const what = `the ${worded(kind)}${opt` ${number}`}${opt` ${titleOf(data)}`}`;
  const of = `${opt` of ${issue.text('identifier')}`}${opt` ${titleOf(issue)}`}`;
  const words = data.quote('body', MAX_WORDS) ?? data.quote('comment.body', MAX_WORDS);
  return sentences(
    `${deed(who(facts, data), actionOf(facts), what)}${of} in Linear${opt`, team ${data.text('team.name')}`}${opt`: ${words ?? data.quote('emoji')}`}.`,
    opt`It is ${data.text('state.name')}${opt`, priority ${data.text('priorityLabel')}`}${opt`, assigned to ${data.text('assignee.name')}`}.`,
    changed.length > 0 && `What changed: ${listed(changed.map((name) => worded(name)))}.`,
  );
};

function dataOf(facts: PayloadReader): PayloadReader {
  const found = ['data', 'notification', 'agentSession', 'issueData'].find((name) =>
    facts.has(name),
  );
  return found ? facts.at(found) : facts;
}

function titleOf(facts: PayloadReader): string | null {
  return facts.quote('title') ?? facts.quote('name');
}

/**
 * Returns the person who acted. Older events have no actor, so the creator of a new object counts.
 */
function who(facts: PayloadReader, data: PayloadReader): string | null {
  const isNew = facts.is('action', 'create') || facts.is('action', 'created');
  return (
    facts.first('actor.name', 'actor.email', 'actor.service') ??
    data.first('actor.name', 'updatedBy.name') ??
    (isNew ? data.first('user.name', 'creator.name', 'botActor.name', 'externalUser.name') : null)
  );
}

function actionOf(facts: PayloadReader): string | null {
  const action = facts.text('action');
  return action === 'remove' ? 'removed' : action && worded(action).replaceAll(' ', '_');
}
