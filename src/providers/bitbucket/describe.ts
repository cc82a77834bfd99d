import { entryOf } from '../../core/entry-of.ts';
import { counted, listed, opt } from '../../core/text/words.ts';
import { deed, didOf } from '../describing/actions.ts';
import { type Describe, sentences, worded } from '../describing/describe.ts';
import { commitTitle, shortSha } from '../describing/git.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';

const MAX_WORDS = 160;
const MAX_REFS = 4;

/**
 * Describes events of Bitbucket Cloud and of Bitbucket Data Center (formerly Server). Their events
 * have different names and different layouts.
 *
 * https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/
 * https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html
 */
export const describeBitbucket: Describe = ({ facts, type }) => {
  if (type === null) return [];
  if (type === 'diagnostics:ping') return ['Bitbucket tests the connection (diagnostics:ping).'];
  if (type === 'repo:push') return pushed(facts, facts.items('push.changes').map(cloudChange));
  if (type === 'repo:refs_changed') return pushed(facts, facts.items('changes').map(serverChange));
  const [, kind, happened] = /^(pullrequest|pr):(.+)$/.exec(type) ?? [];
  return kind && happened ? pullRequest(facts, happened) : other(facts, type);
};

/** Verbs for events of a pull request whose name isn't a verb. */
const PULL_VERBS: Record<string, string> = {
  fulfilled: 'merged',
  rejected: 'declined',
  from_ref_updated: 'updated the source branch of',
  to_ref_updated: 'changed the target branch of',
  'reviewer:updated': 'changed the reviewers of',
  'reviewer:approved': 'approved',
  'reviewer:unapproved': 'withdrew the approval of',
  'reviewer:needs_work': 'requested changes in',
  'reviewer:changes_requested': 'requested changes in',
  changes_request_created: 'requested changes in',
  changes_request_removed: 'no longer requests changes in',
};
const COMMENT_VERBS: Record<string, string> = {
  added: 'commented on',
  created: 'commented on',
  edited: 'edited a comment on',
  updated: 'edited a comment on',
  deleted: 'deleted a comment on',
  resolved: 'resolved a comment on',
  reopened: 'reopened a comment on',
};

/** The predicate for one change of a push, with the last commit of the change. */
interface Change {
  did: string;
  commit: string;
}

function cloudChange(change: PayloadReader): Change {
  const isGone = !change.has('new');
  const it = change.at(isGone ? 'old' : 'new');
  const ref = `the ${it.text('type')?.replaceAll('_', ' ') ?? 'branch'} ${it.text('name') ?? '?'}`;
  if (isGone) return { did: `deleted ${ref}`, commit: '' };
  const count = change.count('commits');
  const more = change.is('truncated', true) ? 'more than ' : '';
  const what = count > 0 ? ` ${more}${counted(count, 'commit')}` : '';
  const push = change.is('forced', true) ? 'force-pushed' : 'pushed';
  const isNew = change.is('created', true) || change.is('old', null);
  const did = isNew ? `created ${ref}` : `${push}${what} to ${ref}`;
  const hash = shortSha(it, 'target.hash');
  return { did, commit: `${hash ?? ''}${opt` ${commitTitle(it, 'target.message')}`}`.trim() };
}

function serverChange(change: PayloadReader): Change {
  const kind = change.text('ref.type')?.toLowerCase() ?? 'branch';
  const ref = `the ${kind} ${change.first('ref.displayId', 'ref.id', 'refId') ?? '?'}`;
  if (change.is('type', 'DELETE')) return { did: `deleted ${ref}`, commit: '' };
  return {
    did: change.is('type', 'ADD') ? `created ${ref}` : `pushed to ${ref}`,
    commit: shortSha(change, 'toHash') ?? '',
  };
}

function pushed(facts: PayloadReader, changes: readonly Change[]): string[] {
  const all = facts.count('push.changes') + facts.count('changes');
  const shown = changes.slice(0, MAX_REFS).map(({ did }) => did);
  const more = all > shown.length ? [`changed ${counted(all - shown.length, 'more ref')}`] : [];
  const newest = changes.find(({ commit }) => commit !== '')?.commit ?? null;
  const title = commitTitle(facts, 'toCommit.message');
  return sentences(
    `${who(facts) ?? 'Somebody'} ${listed([...shown, ...more]) || 'pushed to a branch'} of ${place(facts)}.`,
    opt`The newest commit is ${newest}${opt` ${title}`}.`,
  );
}

function pullRequest(facts: PayloadReader, happened: string): string[] {
  const pull = facts.at(facts.has('pullRequest') ? 'pullRequest' : 'pullrequest');
  const name = `pull request #${pull.text('id') ?? '?'}${opt` ${pull.quote('title')}`}`;
  const [, comment] = /^comment[:_](.+)$/.exec(happened) ?? [];
  const verb =
    entryOf(COMMENT_VERBS, comment ?? null) ?? entryOf(PULL_VERBS, happened) ?? didOf(happened);
  const from = pull.first('source.branch.name', 'fromRef.displayId');
  const to = pull.first('destination.branch.name', 'toRef.displayId');
  return sentences(
    `${deed(who(facts), verb === null ? happened : null, name, verb ?? undefined)} in ${place(facts)}${opt`: ${words(facts)}`}.`,
    opt`It goes from ${from} to ${to} and is ${pull.text('state')?.toLowerCase() ?? null}.`,
    reviewers(facts),
    opt`It begins: ${comment ? null : pull.quote('description', MAX_WORDS)}.`,
  );
}

function reviewers(facts: PayloadReader): string {
  const names = (path: string) =>
    facts.items(path).flatMap((user) => user.first('displayName', 'display_name', 'name') ?? []);
  const added = names('addedReviewers');
  const removed = names('removedReviewers');
  return sentences(
    added.length > 0 && `Reviewers now include ${listed(added)}.`,
    removed.length > 0 && `No longer asked: ${listed(removed)}.`,
  ).join(' ');
}

function other(facts: PayloadReader, type: string): string[] {
  const status = facts.at('commit_status');
  if (status.has('state')) {
    return [
      `The build ${status.quote('name') ?? status.quote('key') ?? ''} of ${shortSha(status, 'commit.hash') ?? 'a commit'} in ${place(facts)} is ${status.text('state')?.toLowerCase() ?? 'changed'}${opt`: ${status.quote('description')}`}.`,
    ];
  }
  const [, kind, comment] = /^(repo|issue):(?:commit_)?comment[:_](.+)$/.exec(type) ?? [];
  const issue = facts.has('issue')
    ? `issue #${facts.text('issue.id') ?? '?'}${opt` ${facts.quote('issue.title')}`}`
    : null;
  if (kind) {
    const commit = facts.first('commit.hash', 'commit');
    const on = issue ?? `the commit ${commit?.slice(0, 7) ?? '?'}`;
    const verb = entryOf(COMMENT_VERBS, comment ?? null) ?? 'changed a comment on';
    return [`${deed(who(facts), null, on, verb)} in ${place(facts)}${opt`: ${words(facts)}`}.`];
  }
  const [what = '', action = null] = type.split(':');
  const noun = issue ?? `the ${what === 'repo' ? 'repository' : worded(what)} ${place(facts)}`;
  return sentences(
    `${deed(who(facts), action, noun)}${issue ? ` in ${place(facts)}` : ''}${opt` to ${facts.text('fork.full_name')}`}${opt`: ${words(facts)}`}.`,
    opt`It is now called ${facts.text('new.name')}${opt`, before ${facts.text('old.name')}`}.`,
    opt`The mirror is ${facts.text('mirrorServer.name')}.`,
  );
}

function words(facts: PayloadReader): string | null {
  return (
    facts.quote('comment.content.raw', MAX_WORDS) ??
    facts.quote('comment.text', MAX_WORDS) ??
    facts.quote('issue.content.raw', MAX_WORDS)
  );
}

function who(facts: PayloadReader): string | null {
  return facts.first(
    'actor.display_name',
    'actor.displayName',
    'actor.nickname',
    'actor.name',
    'actor.username',
  );
}

function place(facts: PayloadReader): string {
  const full = facts.text('repository.full_name');
  if (full !== null) return full;
  for (const path of ['repository', 'pullRequest.toRef.repository', 'new', 'project']) {
    const slug = facts.first(`${path}.slug`, `${path}.name`);
    if (slug !== null) return `${opt`${facts.text(`${path}.project.key`)}/`}${slug}`;
  }
  return 'a repository';
}
