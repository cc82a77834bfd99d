import { counted, listed, opt } from '../../core/text/words.ts';
import { sentences } from '../describing/describe.ts';
import { commitTitle, isNoCommit, refName, shortSha } from '../describing/git.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';

const MAX_COMMITS = 3;

/** Describes a push of GitHub or Gitea. A push may also delete a branch or a tag. */
export function describePush(facts: PayloadReader): string[] {
  const ref = refName(facts.text('ref'));
  const [kind] = ref.split(' ');
  const repository = facts.text('repository.full_name') ?? 'a repository';
  const author =
    facts.first('pusher.name', 'pusher.login', 'pusher.username', 'sender.login') ?? 'Somebody';
  if (facts.is('deleted', true) || isNoCommit(facts, 'after')) {
    return [
      `${author} deleted the ${ref} of ${repository}${opt`, which was at ${shortSha(facts, 'before')}`}.`,
    ];
  }
  const isNew = facts.is('created', true) || isNoCommit(facts, 'before');
  const count = facts.count('commits');
  if (count === 0) return withoutCommits(facts, `the ${ref} of ${repository}`, author, isNew);
  const commits = facts
    .items('commits', MAX_COMMITS)
    .map(
      (commit) =>
        `${shortSha(commit, 'id') ?? '?'} ${commitTitle(commit, 'message') ?? '""'}${opt` by ${commit.first('author.name', 'author.username')}`}`,
    );
  const did = facts.is('forced', true) ? 'force-pushed' : 'pushed';
  const more = count > MAX_COMMITS ? [`${count - MAX_COMMITS} more`] : [];
  return sentences(
    `${author} ${did} ${counted(count, 'commit')} to the ${ref} of ${repository}${isNew ? `, a new ${kind}` : ''}.`,
    `${count > 1 ? 'The commits are' : 'It is'} ${listed([...commits, ...more], MAX_COMMITS + 1)}.`,
    changedFiles(facts),
  );
}

/** Describes a branch or tag that was created at an existing commit, or moved to one. */
function withoutCommits(
  facts: PayloadReader,
  ref: string,
  author: string,
  isNew: boolean,
): string[] {
  const at = shortSha(facts, 'after');
  return sentences(
    isNew
      ? `${author} created the ${ref.slice(4)}${opt` at ${at}`}.`
      : `${author} ${facts.is('forced', true) ? 'force-pushed' : 'pushed'} ${ref}${opt` from ${shortSha(facts, 'before')} to ${at}`}, without new commits.`,
    opt`Its commit is ${commitTitle(facts, 'head_commit.message')}${opt` by ${facts.first('head_commit.author.name', 'head_commit.author.username')}`}.`,
  );
}

function changedFiles(facts: PayloadReader): string {
  const of = (kind: string) =>
    facts.items('commits', 100).reduce((sum, commit) => sum + commit.count(kind), 0);
  const parts = (['added', 'modified', 'removed'] as const)
    .map((kind) => [kind, of(kind)] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${counted(count, 'file')} ${kind}`);
  const before = shortSha(facts, 'before');
  const after = shortSha(facts, 'after');
  const range =
    before && after && !isNoCommit(facts, 'before') ? `, from ${before} to ${after}` : '';
  return parts.length > 0 ? `In all ${listed(parts)}${range}.` : '';
}
