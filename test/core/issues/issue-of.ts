import type { Issue, IssueCause } from '../../../src/core/issues/issue.ts';
import type { IssueChanges } from '../../../src/core/issues/issue-draft.ts';

export const CAUSE: IssueCause = {
  kind: 'delivery',
  endpointKey: 1,
  destinationKey: 7,
  subject: 'http_503',
};

/** A stored issue. */
export function issueOf(fields: Partial<Issue> = {}): Issue {
  return {
    ...CAUSE,
    key: 1,
    id: 'iss_1',
    userId: 'usr_1',
    state: 'open',
    version: 3,
    count: 1,
    firstAt: 100,
    lastAt: 100,
    eventIds: ['evt_0'],
    streak: {},
    successes: 0,
    explanation: { cause: 'down', suggestion: 'start it' },
    notified: 'open',
    notifiedAt: 100,
    notifyAt: null,
    ...fields,
  };
}

/** The issues that a store has after a fold. */
export function stored(known: readonly Issue[], changes: IssueChanges): Issue[] {
  const after = new Map(known.map((issue) => [issue.key, issue]));
  for (const { key } of changes.dropped) after.delete(key);
  for (const issue of changes.changed) {
    after.set(issue.key, { ...issue, version: issue.version + 1 });
  }
  let key = Math.max(0, ...known.map((issue) => issue.key));
  for (const issue of changes.added) {
    key++;
    after.set(key, { ...issue, key, version: 1 });
  }
  return [...after.values()];
}
