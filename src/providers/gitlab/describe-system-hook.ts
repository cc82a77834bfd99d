import { entryOf } from '../../core/entry-of.ts';
import { opt } from '../../core/text/words.ts';
import { sentences, worded } from '../describing/describe.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';

/** Verbs for users, projects, groups and keys, by the last part of the event's name. */
const HAPPENED: Record<string, string> = {
  create: 'was created',
  destroy: 'was deleted',
  rename: 'was renamed',
  transfer: 'was transferred',
  update: 'was updated',
  failed_login: 'failed to sign in',
};

/** Verbs for a user in a project (`team`) or a group. */
const MEMBERSHIP: Record<string, string> = {
  add_to: 'was added to',
  remove_from: 'was removed from',
  update_for: 'has another access in',
  access_request_to: 'asked for access to',
  access_request_revoked_for: 'no longer asks for access to',
};

/**
 * Describes events of a whole instance, and of a group's members and projects. Such events name
 * what changed, but not who changed it.
 *
 * https://docs.gitlab.com/administration/system_hooks/
 */
export function describeSystemHook(facts: PayloadReader, name: string): string[] {
  const [, membership, where] = /^user_(.+)_(team|project|group)$/.exec(name) ?? [];
  const relation = entryOf(MEMBERSHIP, membership ?? null);
  if (relation !== null) {
    const target =
      where === 'group'
        ? `the group ${facts.first('group_path', 'group_name') ?? '?'}`
        : `the project ${facts.first('project_path_with_namespace', 'project_name', 'project_path') ?? '?'}`;
    const access = facts.first('access_level', 'project_access', 'group_access');
    return sentences(
      `The user ${user(facts)} ${relation} ${target}${opt`, as ${access}`}.`,
      opt`It is event ${name}${opt`, of ${facts.time('updated_at') ?? facts.time('created_at')}`}.`,
    );
  }
  const [, kind, what] = /^(user|project|group|subgroup|key)_(.+)$/.exec(name) ?? [];
  const happened = entryOf(HAPPENED, what ?? null) ?? `met the event ${worded(name)}`;
  return sentences(
    `The ${kind ?? 'object'} ${named(facts, kind)} ${happened}${renamed(facts)}${opt`; the state is ${facts.text('state')}`}.`,
    opt`The owner is ${owner(facts)}.`,
    opt`It is event ${name}${opt`, of ${facts.time('updated_at') ?? facts.time('created_at')}`}.`,
  );
}

function named(facts: PayloadReader, kind: string | undefined): string {
  if (kind === 'user') return user(facts);
  if (kind === 'key')
    return `${facts.text('id') ?? '?'}${opt` of the user ${facts.text('username')}`}`;
  return (
    facts.first('path_with_namespace', 'full_path', 'path', 'name', 'group_path') ??
    'without a name'
  );
}

function user(facts: PayloadReader): string {
  const name = facts.first('user_username', 'username', 'user_name', 'name');
  const mail = facts.first('user_email', 'email');
  return `${name ?? '?'}${opt` (${mail})`}`;
}

function renamed(facts: PayloadReader): string {
  return opt`, before ${facts.first('old_path_with_namespace', 'old_full_path', 'old_username', 'old_path')}`;
}

/** Returns the owner of a project. Newer versions of GitLab list several owners. */
function owner(facts: PayloadReader): string | null {
  return facts.first('owner_name', 'owners.0.name');
}
