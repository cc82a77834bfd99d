import { entryOf } from '../../core/entry-of.ts';
import { counted, opt } from '../words.ts';
import { type Describe, sentences, worded } from './describe.ts';
import type { Facts } from './facts.ts';

const branch = (ref: string | null): string => ref?.replace(/^refs\/(heads|tags)\//, '') ?? '?';
const titleOf = (facts: Facts, path: string): string =>
  opt` "${facts.text(path)?.split('\n', 1)[0]?.replaceAll('"', "'") ?? null}"`;

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
export const describeGitlab: Describe = ({ facts, type }) => {
  const project = facts.first('project.path_with_namespace', 'project.name') ?? 'a project';
  const user =
    facts.first('user_username', 'user.username', 'user_name', 'user.name') ?? 'Somebody';
  const object = facts.at('object_attributes');
  const action = object.text('action');
  switch (facts.text('object_kind') ?? facts.text('event_name')) {
    case 'push':
    case 'tag_push': {
      const count = facts.number('total_commits_count') ?? facts.count('commits');
      const last = facts.items('commits').at(-1);
      const kind = facts.is('object_kind', 'tag_push') ? 'tag' : 'branch';
      return sentences(
        `${user} pushed ${counted(count, 'commit')} to the ${kind} ${branch(facts.text('ref'))} of ${project}.`,
        last !== undefined &&
          `The last one is ${last.text('id')?.slice(0, 8) ?? '?'}${titleOf(last, 'title')}${opt` by ${last.text('author.name')}`}.`,
      );
    }
    case 'merge_request':
      return sentences(
        `${user} ${past(action)} merge request !${object.text('iid') ?? '?'}${opt` ${object.quote('title')}`} in ${project}.`,
        opt`It goes from ${object.text('source_branch')} to ${object.text('target_branch')} and is ${object.text('state')}.`,
      );
    case 'issue':
    case 'work_item':
      return sentences(
        `${user} ${past(action)} issue #${object.text('iid') ?? '?'}${opt` ${object.quote('title')}`} in ${project}.`,
        opt`It is ${object.text('state')}${opt`, due ${object.text('due_date')}`}.`,
      );
    case 'note':
      return [
        `${user} commented on ${worded(object.text('noteable_type') ?? 'something')}${opt` ${facts.first('issue.title', 'merge_request.title', 'commit.message')}`} in ${project}${opt`: ${object.quote('note', 160)}`}.`,
      ];
    case 'pipeline':
      return sentences(
        `The pipeline ${object.text('id') ?? ''} on ${object.text('ref') ?? '?'} of ${project} is ${object.text('status') ?? 'changed'}.`,
        opt`It took ${object.text('duration')} s and was started by ${user}.`,
      );
    case 'build':
      return [
        `The job ${facts.quote('build_name') ?? ''} (stage ${facts.text('build_stage') ?? '?'}) on ${facts.text('ref') ?? '?'} of ${facts.text('project_name') ?? project} is ${facts.text('build_status') ?? 'changed'}.`,
      ];
    case 'release':
      return [
        `The release ${facts.first('name', 'tag') ?? ''} of ${project} was ${past(facts.text('action'))}.`,
      ];
    default:
      return type === null
        ? []
        : [`GitLab tells of a ${type.toLowerCase()} by ${user} in ${project}.`];
  }
};

function past(action: string | null): string {
  const known: Record<string, string> = {
    open: 'opened',
    close: 'closed',
    reopen: 'reopened',
    update: 'updated',
    merge: 'merged',
    create: 'created',
    delete: 'deleted',
    approved: 'approved',
    approve: 'approved',
  };
  return entryOf(known, action) || action || 'changed';
}

/** https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/ */
export const describeBitbucket: Describe = ({ facts, type }) => {
  const actor = facts.first('actor.display_name', 'actor.nickname') ?? 'Somebody';
  const repository = facts.text('repository.full_name') ?? 'a repository';
  const pull = facts.at('pullrequest');
  if (type === 'repo:push') {
    const [change] = facts.items('push.changes');
    return sentences(
      `${actor} pushed to ${change?.first('new.name', 'old.name') ?? 'a branch'} of ${repository}.`,
      opt`The newest commit is ${change?.text('new.target.hash')?.slice(0, 7) ?? null}${change ? titleOf(change, 'new.target.message') : ''}.`,
    );
  }
  if (type?.startsWith('pullrequest:')) {
    return sentences(
      `${actor}: pull request #${pull.text('id') ?? '?'}${opt` ${pull.quote('title')}`} of ${repository} (${worded(type.slice(12))}).`,
      opt`It goes from ${pull.text('source.branch.name')} to ${pull.text('destination.branch.name')} and is ${pull.text('state')?.toLowerCase() ?? null}.`,
    );
  }
  return type === null ? [] : [`Bitbucket tells of ${worded(type)} by ${actor} in ${repository}.`];
};
