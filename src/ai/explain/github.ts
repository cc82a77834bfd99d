import { entryOf } from '../../core/entry-of.ts';
import { clean, counted, listed, opt, quoted } from '../words.ts';
import { type Describe, type Scene, sentences, worded } from './describe.ts';
import type { Facts } from './facts.ts';

const SHORT_SHA = 7;
const MAX_COMMITS = 3;

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const describeGithub: Describe = (scene) => {
  const { facts, type } = scene;
  if (type === 'push' && facts.text('ref') !== null) return push(facts);
  if (type === 'ping') return ping(facts);
  return entryOf(BY_EVENT, type)?.(facts) ?? other(scene);
};

const BY_EVENT: Record<string, (facts: Facts) => string[]> = {
  pull_request: pullRequest,
  issues: (facts) => issue(facts, acted(facts, 'changed')),
  issue_comment: (facts) => [
    `${who(facts)} ${acted(facts, 'changed')} a comment on ${issueName(facts)}${where(facts)}${opt`: ${facts.quote('comment.body', 160)}`}.`,
  ],
  pull_request_review: (facts) => [
    `${who(facts)} ${acted(facts, 'submitted')} a review${opt` (${facts.text('review.state')?.replace('_', ' ') ?? null})`} of pull request #${facts.text('pull_request.number') ?? '?'}${opt` ${facts.quote('pull_request.title')}`}${where(facts)}${opt`: ${facts.quote('review.body', 160)}`}.`,
  ],
  release: (facts) => [
    `${who(facts)} ${acted(facts, 'published')} the ${facts.is('release.prerelease', true) ? 'pre-release' : 'release'} ${facts.first('release.name', 'release.tag_name') ?? ''}${opt` (tag ${facts.text('release.tag_name')})`}${where(facts)}.`,
    ...sentences(opt`Its notes begin: ${facts.quote('release.body', 160)}.`),
  ],
  create: (facts) => [
    `${who(facts)} created the ${facts.text('ref_type') ?? 'ref'} ${facts.text('ref') ?? ''}${where(facts)}.`,
  ],
  delete: (facts) => [
    `${who(facts)} deleted the ${facts.text('ref_type') ?? 'ref'} ${facts.text('ref') ?? ''}${where(facts)}.`,
  ],
  fork: (facts) => [
    `${who(facts)} forked ${facts.text('repository.full_name') ?? 'a repository'}${opt` to ${facts.text('forkee.full_name')}`}.`,
  ],
  star: (facts) => [
    `${who(facts)} ${facts.is('action', 'deleted') ? 'took their star from' : 'starred'} ${facts.text('repository.full_name') ?? 'a repository'}${opt`, which now has ${facts.counted('repository.stargazers_count', 'star')}`}.`,
  ],
  workflow_run: (facts) => run(facts, 'workflow_run', 'workflow'),
  workflow_job: (facts) => run(facts, 'workflow_job', 'job'),
  check_run: (facts) => run(facts, 'check_run', 'check'),
  check_suite: (facts) => run(facts, 'check_suite', 'check suite'),
  deployment_status: (facts) => [
    `The deployment of ${sha(facts, 'deployment.sha') ?? 'a commit'}${opt` to ${facts.text('deployment.environment')}`}${where(facts)} is now ${facts.text('deployment_status.state') ?? 'changed'}${opt`: ${facts.quote('deployment_status.description')}`}.`,
  ],
};

function push(facts: Facts): string[] {
  const ref = facts.text('ref')?.replace(/^refs\/(heads|tags)\//, '') ?? '?';
  const kind = facts.text('ref')?.startsWith('refs/tags/') ? 'tag' : 'branch';
  const repository = facts.text('repository.full_name') ?? 'a repository';
  const author = facts.first('pusher.name', 'sender.login') ?? 'Somebody';
  if (facts.is('deleted', true)) return [`${author} deleted the ${kind} ${ref} of ${repository}.`];
  const count = facts.count('commits');
  const does = facts.is('forced', true) ? 'force-pushed' : 'pushed';
  const commits = facts.items('commits', MAX_COMMITS).map((commit) => {
    const title = String(commit.at('message').value ?? '').split('\n', 1)[0] ?? '';
    return `${sha(commit, 'id') ?? '?'} ${quoted(title, 80)}${opt` by ${commit.first('author.name', 'author.username')}`}`;
  });
  const files = changedFiles(facts);
  return sentences(
    `${author} ${does} ${counted(count, 'commit')} to the ${kind} ${ref} of ${repository}${facts.is('created', true) ? `, a new ${kind}` : ''}.`,
    commits.length > 0 &&
      `${count > 1 ? 'The commits are' : 'It is'} ${listed([...commits, ...rest(count)], MAX_COMMITS + 1)}.`,
    files,
  );
}

function rest(count: number): string[] {
  return count > MAX_COMMITS ? [`${count - MAX_COMMITS} more`] : [];
}

function changedFiles(facts: Facts): string {
  const of = (kind: string) =>
    facts.items('commits', 100).reduce((sum, commit) => sum + commit.count(kind), 0);
  const parts = (['added', 'modified', 'removed'] as const)
    .map((kind) => [kind, of(kind)] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${counted(count, 'file')} ${kind}`);
  const before = sha(facts, 'before');
  const after = sha(facts, 'after');
  const range = before && after && !/^0+$/.test(before) ? `, from ${before} to ${after}` : '';
  return parts.length > 0 ? `In all ${listed(parts)}${range}.` : '';
}

function ping(facts: Facts): string[] {
  const events = facts.items('hook.events').map((item) => clean(String(item.value)));
  const target = facts.first('repository.full_name', 'organization.login');
  return sentences(
    `This is GitHub's ping for a webhook that was just set up${opt` on ${target}`}${opt` by ${facts.text('sender.login')}`}.`,
    events.length > 0 && `It is to send ${listed(events)} (hook ${facts.text('hook_id') ?? '?'}).`,
    opt`GitHub's words of wisdom: ${facts.quote('zen')}.`,
  );
}

function pullRequest(facts: Facts): string[] {
  const merged = facts.is('action', 'closed') && facts.is('pull_request.merged', true);
  const pull = facts.at('pull_request');
  const changes = [
    pull.counted('commits', 'commit'),
    pull.counted('changed_files', 'file'),
    opt`+${pull.text('additions')} -${pull.text('deletions')} lines`,
  ].filter((text) => text);
  return sentences(
    `${who(facts)} ${merged ? 'merged' : acted(facts, 'changed')} pull request #${facts.first('number', 'pull_request.number') ?? '?'}${opt` ${pull.quote('title')}`}${where(facts)}.`,
    opt`It goes from ${pull.text('head.ref')} to ${pull.text('base.ref')}` +
      `${changes.length > 0 ? ` (${changes.join(', ')})` : ''}${pull.is('draft', true) ? ' and is a draft' : ''}.`,
    merged && opt`The merge commit is ${sha(pull, 'merge_commit_sha')}.`,
  );
}

function issue(facts: Facts, action: string): string[] {
  const labels = facts.items('issue.labels').flatMap((label) => label.text('name') ?? []);
  const assignees = facts.items('issue.assignees').flatMap((user) => user.text('login') ?? []);
  return sentences(
    `${who(facts)} ${action} ${issueName(facts)}${where(facts)}.`,
    opt`It begins: ${facts.quote('issue.body', 160)}.`,
    (labels.length > 0 || assignees.length > 0) &&
      `It has ${listed([
        ...(labels.length > 0 ? [`the labels ${listed(labels)}`] : ['no labels']),
        assignees.length > 0 ? `is assigned to ${listed(assignees)}` : 'no assignee',
      ])}.`,
  );
}

function issueName(facts: Facts): string {
  const kind = facts.has('issue.pull_request') ? 'pull request' : 'issue';
  return `${kind} #${facts.text('issue.number') ?? '?'}${opt` ${facts.quote('issue.title')}`}`;
}

function run(facts: Facts, key: string, noun: string): string[] {
  const it = facts.at(key);
  const state = it.first('conclusion', 'status') ?? facts.text('action') ?? 'changed';
  return [
    `The ${noun}${opt` ${it.quote('name')}`} is ${state.replaceAll('_', ' ')}${opt` on ${it.text('head_branch')}`}${opt` at ${sha(it, 'head_sha')}`}${where(facts)}.`,
    ...sentences(
      opt`It was run number ${it.text('run_number')}, triggered by ${it.text('event')}.`,
    ),
  ];
}

function other({ facts, type }: Scene): string[] {
  if (type === null) return [];
  const action = facts.text('action');
  return [
    `GitHub tells of ${worded(type)}${opt` (${action})`}${opt` by ${facts.text('sender.login')}`}${where(facts)}.`,
  ];
}

function who(facts: Facts): string {
  return facts.text('sender.login') ?? 'Somebody';
}

function acted(facts: Facts, otherwise: string): string {
  return facts.text('action')?.replaceAll('_', ' ') ?? otherwise;
}

function where(facts: Facts): string {
  return opt` in ${facts.first('repository.full_name', 'organization.login')}`;
}

function sha(facts: Facts, path: string): string | null {
  const text = facts.text(path);
  return text !== null && /^[0-9a-f]{8,64}$/.test(text) ? text.slice(0, SHORT_SHA) : text;
}
