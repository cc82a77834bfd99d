import { entryOf } from '../../core/entry-of.ts';
import { counted, opt } from '../../core/text/words.ts';
import { deed } from '../describing/actions.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';
import { commitTitle, isNoCommit, refName, shortSha } from '../describing/git.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';
import { describeSystemHook } from './describe-system-hook.ts';

const MAX_WORDS = 160;

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
export const describeGitlab: Describe = ({ facts, type }) => {
  const kind = facts.text('object_kind') ?? facts.text('event_name');
  const own = entryOf(BY_KIND, kind);
  if (own) return own(facts);
  if (kind !== null && facts.text('event_name') === kind) return describeSystemHook(facts, kind);
  const name = kind ?? type?.replace(/ (hook|event)s?$/i, '') ?? null;
  if (name === null) return [];
  const object = facts.at('object_attributes');
  const title = object.quote('title') ?? object.quote('name') ?? facts.quote('name');
  const number = object.text('iid') ?? object.text('id');
  return sentences(
    `${deed(who(facts), object.text('action') ?? facts.text('action'), `the ${worded(name)}${opt` #${number}`}${opt` ${title}`}`)} in ${place(facts)}.`,
    opt`It says ${object.quote('description', MAX_WORDS) ?? object.quote('note', MAX_WORDS)}.`,
  );
};

const BY_KIND: Record<string, (facts: PayloadReader) => string[]> = {
  push: (facts) => push(facts, 'branch'),
  tag_push: (facts) => push(facts, 'tag'),
  repository_update: (facts) => [
    `${deed(who(facts), null, `the repository ${place(facts)}`, 'updated')}: ${counted(facts.count('changes'), 'ref')} changed.`,
  ],
  merge_request: (facts) => {
    const it = facts.at('object_attributes');
    return sentences(
      `${deed(who(facts), it.text('action'), `merge request !${it.text('iid') ?? '?'}${opt` ${it.quote('title')}`}`, 'tested')} in ${place(facts)}.`,
      opt`It goes from ${it.text('source_branch')} to ${it.text('target_branch')} and is ${it.text('state')}.`,
      opt`It begins: ${it.quote('description', MAX_WORDS)}.`,
    );
  },
  issue,
  work_item: issue,
  note: (facts) => {
    const it = facts.at('object_attributes');
    const on = it.text('noteable_type')?.replace(/([a-z])([A-Z])/g, '$1 $2') ?? 'something';
    const number = opt` !${facts.text('merge_request.iid')}` || opt` #${facts.text('issue.iid')}`;
    const title =
      facts.quote('issue.title') ??
      facts.quote('merge_request.title') ??
      facts.quote('snippet.title') ??
      commitTitle(facts, 'commit.message');
    return [
      `${deed(who(facts), null, `on the ${on.toLowerCase()}${number}${opt` ${title}`}`, 'commented')} in ${place(facts)}${opt`: ${it.quote('note', MAX_WORDS)}`}.`,
    ];
  },
  pipeline: (facts) => {
    const it = facts.at('object_attributes');
    return sentences(
      `The pipeline ${it.text('id') ?? ''} on ${it.text('ref') ?? '?'} of ${place(facts)} is ${it.text('status') ?? 'changed'}.`,
      opt`It was started by ${who(facts)}${opt`, and took ${it.text('duration')} s`}.`,
      opt`Its commit is ${commitTitle(facts, 'commit.message')}${opt` by ${facts.text('commit.author.name')}`}.`,
    );
  },
  build: (facts) =>
    sentences(
      `The job ${facts.quote('build_name') ?? ''} (stage ${facts.text('build_stage') ?? '?'}) on ${facts.text('ref') ?? '?'} of ${facts.text('project_name') ?? place(facts)} is ${facts.text('build_status') ?? 'changed'}.`,
      opt`It was started by ${who(facts)}.`,
    ),
  deployment: (facts) =>
    sentences(
      `The deployment of ${facts.text('short_sha') ?? facts.text('ref') ?? 'a commit'}${opt` to ${facts.text('environment')}`} in ${place(facts)} is ${facts.text('status') ?? 'changed'}${opt`, by ${who(facts)}`}.`,
      opt`Its commit is ${facts.quote('commit_title')}.`,
    ),
  release: (facts) =>
    sentences(
      `${deed(null, facts.text('action'), `the release ${facts.first('name', 'tag') ?? ''}${opt` (tag ${facts.text('tag')})`} of ${place(facts)}`)}.`,
      opt`Its notes begin: ${facts.quote('description', MAX_WORDS)}.`,
    ),
  wiki_page: (facts) => {
    const it = facts.at('object_attributes');
    return [
      `${deed(who(facts), it.text('action'), `the wiki page ${it.quote('title') ?? ''}`)} in ${place(facts)}${opt`: ${it.quote('message')}`}.`,
    ];
  },
};

/** Describes a push. A push without a commit deletes a branch or a tag. */
function push(facts: PayloadReader, kind: 'branch' | 'tag'): string[] {
  const ref = `the ${refName(facts.text('ref'), kind)} of ${place(facts)}`;
  const author = who(facts);
  if (isNoCommit(facts, 'after')) {
    return [`${deed(author, 'deleted', ref)}${opt`, which was at ${shortSha(facts, 'before')}`}.`];
  }
  const count = facts.number('total_commits_count') ?? facts.count('commits');
  const isNew = isNoCommit(facts, 'before');
  const last = facts.items('commits').at(-1);
  return sentences(
    isNew && (kind === 'tag' || count === 0)
      ? `${deed(author, 'created', ref)}${opt` at ${shortSha(facts, 'after')}`}.`
      : `${author ?? 'Somebody'} pushed ${counted(count, 'commit')} to ${ref}${isNew ? `, a new ${kind}` : ''}.`,
    opt`Its message is ${facts.quote('message', MAX_WORDS)}.`,
    last !== undefined &&
      `The last commit is ${shortSha(last, 'id') ?? '?'}${opt` ${commitTitle(last, 'title') ?? commitTitle(last, 'message')}`}${opt` by ${last.text('author.name')}`}.`,
  );
}

function issue(facts: PayloadReader): string[] {
  const it = facts.at('object_attributes');
  const kind = it.text('type')?.toLowerCase() ?? 'issue';
  return sentences(
    `${deed(who(facts), it.text('action'), `${kind} #${it.text('iid') ?? '?'}${opt` ${it.quote('title')}`}`)} in ${place(facts)}.`,
    opt`It is ${it.text('state')}${opt`, due ${it.text('due_date')}`}.`,
    opt`It begins: ${it.quote('description', MAX_WORDS)}.`,
  );
}

function who(facts: PayloadReader): string | null {
  return facts.first('user_username', 'user.username', 'user_name', 'user.name');
}

function place(facts: PayloadReader): string {
  return (
    facts.first(
      'project.path_with_namespace',
      'project.name',
      'project_name',
      'group.full_path',
      'group.group_name',
      'group.name',
    ) ?? 'a project'
  );
}
