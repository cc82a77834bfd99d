import { ISSUE_KIND, type Issue, type NamedIssue } from '../../../src/core/issues/issue.ts';

export const AT = Date.parse('2026-03-14T09:26:53Z');
export const KINDS = ISSUE_KIND.names;

/** An open issue about the destination `billing` of the endpoint `orders`. */
export function namedIssue(
  changes: Partial<Issue> = {},
  names: Partial<Omit<NamedIssue, 'issue'>> = {},
): NamedIssue {
  const issue: Issue = {
    key: 1,
    id: 'iss_01',
    kind: 'delivery',
    endpointKey: 1,
    destinationKey: 1,
    subject: 'http_503',
    userId: 'usr_01',
    state: 'open',
    version: 1,
    count: 3,
    firstAt: AT,
    lastAt: AT + 60_000,
    eventIds: ['evt_02', 'evt_01'],
    streak: {},
    successes: 0,
    explanation: null,
    notified: null,
    notifiedAt: null,
    notifyAt: AT,
    ...changes,
  };
  return {
    issue,
    endpoint: { id: 'ep_01', name: 'orders' },
    destination: { id: 'dst_01', url: 'https://billing.example.com/hooks?key=s3', name: 'billing' },
    channel: null,
    ...names,
  };
}
