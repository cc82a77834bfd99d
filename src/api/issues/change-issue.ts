import { HookrelayError } from '../../core/errors.ts';
import type { NamedIssue, SettableState } from '../../core/issues/issue.ts';
import { notifyAtOf } from '../../core/issues/notify-at.ts';
import type { IssueScope, IssueStore } from '../../store/contract/issues.ts';

/** Times that the issue may change between its read and its change: a busy cause counts on. */
const MOST_TRIES = 20;

/**
 * Sets an issue's state for a person. When the issue changes at the same time, the change
 * is made again from the newer issue.
 *
 * Throws `issue_not_found` and `overloaded`.
 */
export async function changeIssue(
  issues: Pick<IssueStore, 'find' | 'setState'>,
  scope: IssueScope,
  id: string,
  { state, now }: { state: SettableState; now: number },
): Promise<{ before: NamedIssue; after: NamedIssue }> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await issues.find(scope, id);
    if (!before) throw noIssue();
    const { version, notified, notifiedAt } = before.issue;
    const lastAt = state === 'resolved' ? Math.max(before.issue.lastAt, now) : before.issue.lastAt;
    const notifyAt = notifyAtOf({ state, notified, notifiedAt }, now);
    const after = await issues.setState(scope, id, { version, state, lastAt, notifyAt });
    if (after === null) throw noIssue();
    if (after !== 'changed') return { before, after };
  }
  throw new HookrelayError('overloaded', 'this issue changes all the time', {
    hint: 'send the change again',
    retryAfterS: 1,
  });
}

function noIssue(): HookrelayError {
  return new HookrelayError('issue_not_found', 'there is no such issue');
}
