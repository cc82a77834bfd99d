import { isBroughtSecret } from '../../core/issues/brought-secret.ts';
import type { Issue } from '../../core/issues/issue.ts';
import { issueView } from '../../core/issues/issue-view.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { issueScopeOf } from '../access.ts';
import { changesBetween } from '../audit-note.ts';
import { defined } from '../defined.ts';
import { windowOf } from '../list-page-schema.ts';
import { type Route, routesOf } from '../route.ts';
import { changeIssue } from './change-issue.ts';
import { confirmSecret } from './confirm-secret.ts';
import { ISSUE_CALLS } from './issue-calls.ts';

export interface IssueRoutesOptions {
  issues: Pick<IssueStore, 'list' | 'find' | 'setState'>;
  endpoints: Pick<EndpointStore, 'find' | 'update'>;
  clock: Clock;
  /** Called before an issue of kind `drift` is resolved: its type learns the shape. */
  acceptDrift(issue: Issue): Promise<void>;
  /** Called after a change of which channels may get a message. */
  onChanged(): void;
}

/** The routes of issues. */
export function issueRoutes(options: IssueRoutesOptions): Route[] {
  const { issues, endpoints, clock, acceptDrift, onChanged } = options;
  return routesOf(ISSUE_CALLS, {
    async 'GET /api/issues'({ principal, query }) {
      const { page, limit, offset } = windowOf(query);
      const { state, kind, endpoint: endpointId } = query;
      const filter = defined({ state, kind, endpointId });
      const found = await issues.list(issueScopeOf(principal), filter, { offset, limit });
      return { data: found.issues.map(issueView), page, limit, total: found.total };
    },
    'GET /api/issues/{issueId}': ({ issue }) => issueView(issue),
    async 'PATCH /api/issues/{issueId}'({ principal, issue, body, record }) {
      const change = { state: body.state, now: clock.now() };
      const isResolved = body.state === 'resolved';
      if (isResolved && issue.issue.kind === 'drift') await acceptDrift(issue.issue);
      if (isResolved && isBroughtSecret(issue.issue)) await confirmSecret(issue, endpoints);
      const changed = await changeIssue(issues, issueScopeOf(principal), issue.issue.id, change);
      onChanged();
      const [before, after] = [issueView(changed.before), issueView(changed.after)];
      record({
        target: { type: 'issue', id: after.id, name: after.title },
        changes: changesBetween({ state: before.state }, { state: after.state }),
      });
      return after;
    },
  });
}
