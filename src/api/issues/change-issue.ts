import type { NamedIssue, SettableState } from '../../core/issues/issue.ts';
import { notifyAtOf } from '../../core/issues/notify-at.ts';
import type { IssueScope, IssueStore } from '../../store/contract/issues.ts';
import { changeNewest } from '../change-newest.ts';

/** Uses `changeNewest`, because a busy cause changes its issue often. */
export function changeIssue(
  issues: Pick<IssueStore, 'find' | 'setState'>,
  scope: IssueScope,
  id: string,
  { state, now }: { state: SettableState; now: number },
): Promise<{ before: NamedIssue; after: NamedIssue }> {
  return changeNewest(
    'issue',
    () => issues.find(scope, id),
    ({ issue }) => {
      const { version, notified, notifiedAt } = issue;
      const lastAt = state === 'resolved' ? Math.max(issue.lastAt, now) : issue.lastAt;
      const notifyAt = notifyAtOf({ state, notified, notifiedAt }, now);
      return issues.setState(scope, id, { version, state, lastAt, notifyAt });
    },
  );
}
