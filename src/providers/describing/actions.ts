import { entryOf } from '../../core/entry-of.ts';

/**
 * Verbs for actions of GitHub, GitLab and Gitea whose names aren't a past participle or say too
 * little.
 */
const PHRASES: Record<string, string> = {
  added_to_repository: 'gave a repository to',
  appeared_in_branch: 'found in another branch',
  award: 'awarded',
  auto_merge_disabled: 'switched off auto-merge of',
  auto_merge_enabled: 'switched on auto-merge of',
  approval: 'approved',
  approve: 'approved',
  category_changed: 'changed the category of',
  checks_requested: 'requested checks of',
  close: 'closed',
  closed_by_user: 'closed',
  converted_to_draft: 'converted to a draft',
  create: 'created',
  delete: 'deleted',
  dequeued: 'took from the merge queue',
  dismiss: 'dismissed',
  enqueued: 'put into the merge queue',
  label_cleared: 'removed all labels of',
  label_updated: 'changed the labels of',
  member_added: 'added a member to',
  member_invited: 'invited a member to',
  member_removed: 'removed a member from',
  merge: 'merged',
  new_permissions_accepted: 'accepted new permissions of',
  open: 'opened',
  pending_cancellation: 'is about to cancel',
  pending_change: 'is about to change',
  pending_change_cancelled: 'cancelled a change of',
  pending_tier_change: 'is about to change the tier of',
  ready_for_review: 'marked as ready for review',
  removed_from_repository: 'took a repository from',
  reopen: 'reopened',
  reopened_by_user: 'reopened',
  requested_action: 'requested an action of',
  resolve: 'resolved',
  revoke: 'revoked',
  review_request_removed: 'withdrew a review request for',
  review_requested: 'requested a review of',
  reviewed: 'reviewed',
  suspend: 'suspended',
  synchronize: 'pushed to',
  synchronized: 'pushed to',
  tier_changed: 'changed the tier of',
  unapproval: 'withdrew the approval of',
  unapproved: 'withdrew the approval of',
  unsuspend: 'unsuspended',
  fork: 'forked',
  update: 'updated',
  withdrawn: 'withdrawn',
};

/**
 * Returns the verb between a person and a thing, such as `closed`. Returns null if the action isn't
 * a verb.
 */
export function didOf(action: string | null): string | null {
  const known = entryOf(PHRASES, action);
  if (known !== null) return known;
  return action !== null && /^(re-?|un)?[a-z]+ed$/.test(action) ? action : null;
}

/**
 * Returns a sentence such as `Ada closed the issue #7`. Without a person, returns `The issue #7 was
 * closed`, or `Somebody …` if the verb has several words. An action that isn't a verb is appended
 * in brackets.
 *
 * @param otherwise the verb of an event without an action
 */
export function deed(
  who: string | null,
  action: string | null,
  what: string,
  otherwise = 'changed',
): string {
  const did = action === null ? otherwise : (didOf(action) ?? 'changed');
  const note = action !== null && didOf(action) === null ? ` (${action.replaceAll('_', ' ')})` : '';
  if (who !== null) return `${who} ${did} ${what}${note}`;
  if (did.includes(' ')) return `Somebody ${did} ${what}${note}`;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} was ${did}${note}`;
}
