import { entryOf } from '../../core/entry-of.ts';
import { clean, listed, opt } from '../../core/text/words.ts';
import { deed } from '../describing/actions.ts';
import { type Describe, type Scene, sentences, worded } from '../describing/describe.ts';
import { commitTitle, shortSha } from '../describing/git.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';
import { describePush } from './describe-push.ts';
import type { Subject } from './subject.ts';
import { GITHUB_SUBJECTS } from './subjects.ts';

const MAX_WORDS = 160;

/** Describes events of GitHub and Gitea, which have the same names and nearly the same payloads. */
export const describeGithub: Describe = (scene) => {
  const { facts, type } = scene;
  if (type === 'push' && facts.text('ref') !== null) return describePush(facts);
  if (type === 'ping') return ping(facts);
  const own = entryOf(BY_EVENT, type);
  if (own) return own(facts);
  const subject = entryOf(GITHUB_SUBJECTS, type) ?? unknownSubject(scene);
  return subject ? about(facts, subject) : [];
};

const BY_EVENT: Record<string, (facts: PayloadReader) => string[]> = {
  pull_request: pullRequest,
  issues: issue,
  issue_comment: (facts) => [
    `${did(facts, `a comment on ${issueName(facts)}`)}${where(facts)}${opt`: ${facts.quote('comment.body', MAX_WORDS)}`}.`,
  ],
  pull_request_review: (facts) => [
    `${did(facts, `a review${opt` (${facts.text('review.state')?.replace('_', ' ') ?? null})`} of ${pullName(facts)}`, 'submitted')}${where(facts)}${opt`: ${facts.quote('review.body', MAX_WORDS) ?? facts.quote('review.content', MAX_WORDS)}`}.`,
  ],
  release: (facts) => {
    const kind = facts.is('release.prerelease', true) ? 'pre-release' : 'release';
    const name = facts.first('release.name', 'release.tag_name') ?? '';
    return sentences(
      `${did(facts, `the ${kind} ${name}${opt` (tag ${facts.text('release.tag_name')})`}`, 'published')}${where(facts)}.`,
      opt`Its notes begin: ${facts.quote('release.body', MAX_WORDS)}.`,
    );
  },
  create: (facts) => [`${deed(who(facts), 'created', refOf(facts))}${where(facts)}.`],
  delete: (facts) => [`${deed(who(facts), 'deleted', refOf(facts))}${where(facts)}.`],
  fork: (facts) => [
    `${deed(who(facts), 'forked', facts.text('repository.full_name') ?? 'a repository')}${opt` to ${facts.text('forkee.full_name')}`}.`,
  ],
  star: (facts) => [
    `${who(facts) ?? 'Somebody'} ${facts.is('action', 'deleted') ? 'took their star from' : 'starred'} ${facts.text('repository.full_name') ?? 'a repository'}${opt`, which now has ${facts.counted('repository.stargazers_count', 'star')}`}.`,
  ],
  gollum: (facts) => {
    const pages = facts
      .items('pages')
      .map((page) => `${page.quote('title') ?? '?'}${opt` (${page.text('action')})`}`);
    return [
      `${deed(who(facts), null, `the wiki ${pages.length === 1 ? 'page' : 'pages'} ${listed(pages)}`)}${where(facts)}.`,
    ];
  },
  status: (facts) => [
    `The status ${facts.quote('context') ?? ''} of ${shortSha(facts, 'sha') ?? 'a commit'}${where(facts)} is ${facts.text('state') ?? 'changed'}${opt`: ${facts.quote('description')}`}.`,
    ...sentences(opt`The commit is ${commitTitle(facts, 'commit.commit.message')}.`),
  ],
  page_build: (facts) => [
    `The GitHub Pages${where(facts).replace(' in ', ' of ')} are ${facts.text('build.status') ?? 'changed'}${opt` at ${shortSha(facts, 'build.commit')}`}${opt`, pushed by ${facts.first('build.pusher.login', 'sender.login')}`}${opt`: ${facts.quote('build.error.message')}`}.`,
  ],
  repository_import: (facts) => [
    `The import of ${facts.text('repository.full_name') ?? 'a repository'} ended with ${facts.text('status') ?? 'no stated result'}${opt`, begun by ${who(facts)}`}.`,
  ],
  repository_dispatch: (facts) => [
    `${deed(who(facts), null, `the event ${facts.quote('action') ?? ''}`, 'dispatched')}${where(facts)}${opt`, on the branch ${facts.text('branch')}`}.`,
  ],
  workflow_run: (facts) => run(facts, 'workflow_run', 'workflow'),
  workflow_job: (facts) => run(facts, 'workflow_job', 'job'),
  check_run: (facts) => run(facts, 'check_run', 'check'),
  check_suite: (facts) => run(facts, 'check_suite', 'check suite'),
  deployment_status: (facts) => [
    `The deployment of ${facts.text('deployment.ref') ?? 'a commit'}${opt` at ${shortSha(facts, 'deployment.sha')}`}${opt` to ${facts.text('deployment.environment')}`}${where(facts)} is now ${facts.text('deployment_status.state')?.replaceAll('_', ' ') ?? 'changed'}${opt`: ${facts.quote('deployment_status.description')}`}.`,
  ],
};

function about(facts: PayloadReader, subject: Subject): string[] {
  const { noun, number, name = [], title = [], words = [] } = subject;
  const named = name.map((path) => shortSha(facts, path)).find((text) => text !== null);
  const quotedIn = (paths: readonly string[], max?: number) =>
    paths.map((path) => facts.quote(path, max)).find((text) => text !== null);
  const what = `${noun}${opt` #${number ? facts.text(number) : null}`}${opt` ${named}`}${opt` ${quotedIn(title)}`}`;
  const place = named !== undefined && where(facts).endsWith(` ${named}`) ? '' : where(facts);
  return sentences(
    `${deed(who(facts), facts.text('action'), what, subject.did)}${place}${opt`: ${quotedIn(words, MAX_WORDS)}`}.`,
    subject.more?.(facts) ?? '',
  );
}

/**
 * Returns the subject of an event outside the table. The payload has it under the event's name, or
 * under the last word of that name.
 */
function unknownSubject({ facts, type }: Scene): Subject | null {
  if (type === null) return null;
  const key = [type, type.replace(/s$/, ''), type.split('_').at(-1) ?? type].find(
    (name) => typeof facts.at(name).value === 'object' && facts.has(name),
  );
  const below = (...names: string[]) => (key ? names.map((name) => `${key}.${name}`) : []);
  return {
    noun: `the ${worded(type)}`,
    ...(key && { number: `${key}.number` }),
    title: below('title', 'name', 'summary', 'slug'),
    words: below('body', 'description', 'note'),
  };
}

function ping(facts: PayloadReader): string[] {
  const events = facts.items('hook.events').map((item) => clean(String(item.value)));
  const target = facts.first('repository.full_name', 'organization.login');
  return sentences(
    `This is GitHub's ping for a webhook that was just set up${opt` on ${target}`}${opt` by ${facts.text('sender.login')}`}.`,
    events.length > 0 &&
      `It is to send ${events.includes('*') ? 'all events' : listed(events)} (hook ${facts.text('hook_id') ?? '?'}).`,
    opt`GitHub's words of wisdom: ${facts.quote('zen')}.`,
  );
}

function pullRequest(facts: PayloadReader): string[] {
  const merged = facts.is('action', 'closed') && facts.is('pull_request.merged', true);
  const pull = facts.at('pull_request');
  const changes = [
    pull.counted('commits', 'commit'),
    pull.counted('changed_files', 'file'),
    opt`+${pull.text('additions')} -${pull.text('deletions')} lines`,
  ].filter((text) => text);
  return sentences(
    `${deed(who(facts), merged ? 'merged' : facts.text('action'), pullName(facts))}${where(facts)}${touched(facts)}.`,
    opt`It goes from ${pull.text('head.ref')} to ${pull.text('base.ref')}` +
      `${changes.length > 0 ? ` (${changes.join(', ')})` : ''}${pull.is('draft', true) ? ' and is a draft' : ''}.`,
    merged && opt`The merge commit is ${shortSha(pull, 'merge_commit_sha')}.`,
  );
}

function issue(facts: PayloadReader): string[] {
  const labels = facts.items('issue.labels').flatMap((label) => label.text('name') ?? []);
  const assignees = facts.items('issue.assignees').flatMap((user) => user.text('login') ?? []);
  const labelled = `${labels.length === 1 ? 'the label' : 'the labels'} ${listed(labels)}`;
  return sentences(
    `${did(facts, issueName(facts))}${where(facts)}${touched(facts)}.`,
    opt`It begins: ${facts.quote('issue.body', MAX_WORDS)}.`,
    (labels.length > 0 || assignees.length > 0) &&
      `It has ${labels.length > 0 ? labelled : 'no labels'} and ${assignees.length > 0 ? `is assigned to ${listed(assignees)}` : 'no assignee'}.`,
  );
}

/** Returns the label, assignee, reviewer or milestone that the action is about. */
function touched(facts: PayloadReader): string {
  const detail =
    facts.quote('label.name') ??
    facts.first('assignee.login', 'requested_reviewer.login', 'requested_team.name') ??
    facts.quote('milestone.title');
  return opt` (${detail})`;
}

function issueName(facts: PayloadReader): string {
  const kind = facts.has('issue.pull_request') ? 'pull request' : 'issue';
  return `${kind} #${facts.text('issue.number') ?? '?'}${opt` ${facts.quote('issue.title')}`}`;
}

function pullName(facts: PayloadReader): string {
  return `pull request #${facts.first('number', 'pull_request.number') ?? '?'}${opt` ${facts.quote('pull_request.title')}`}`;
}

function run(facts: PayloadReader, key: string, noun: string): string[] {
  const it = facts.at(key);
  const state = it.first('conclusion', 'status') ?? facts.text('action') ?? 'changed';
  const name = it.quote('name') ?? it.quote('app.name') ?? facts.quote('workflow.name');
  return sentences(
    `The ${noun}${opt` ${name}`} is ${state.replaceAll('_', ' ')}${opt` on ${it.text('head_branch')}`}${opt` at ${shortSha(it, 'head_sha')}`}${where(facts)}.`,
    opt`It was run number ${it.text('run_number')}, triggered by ${it.text('event')}.`,
    opt`It says ${it.quote('output.title')}.`,
  );
}

function refOf(facts: PayloadReader): string {
  return `the ${facts.text('ref_type') ?? 'ref'} ${facts.text('ref')?.replace(/^refs\/(heads|tags)\//, '') ?? ''}`;
}

function did(facts: PayloadReader, what: string, otherwise?: string): string {
  return deed(who(facts), facts.text('action'), what, otherwise);
}

function who(facts: PayloadReader): string | null {
  return facts.first('sender.login', 'sender.username', 'pusher.name');
}

function where(facts: PayloadReader): string {
  return opt` in ${facts.first('repository.full_name', 'organization.login')}`;
}
