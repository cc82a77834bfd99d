import { issueView } from '../../core/issues/issue-view.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import { Turns } from '../../core/turns/turns.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { issueScopeOf, scopeOf } from '../access.ts';
import { type Route, routesOf } from '../route.ts';
import { OVERVIEW_CALLS } from './overview-calls.ts';
import { windowOfRange } from './overview-range.ts';
import { overviewView } from './overview-view.ts';

/** Most overviews that are read at once, in all and for an account. */
const RUNNING = 2;
const RUNNING_PER_ACCOUNT = 1;
/** Issues, and silent endpoints, that are shown. */
const SHOWN_ISSUES = 5;
const SHOWN_SILENT = 20;

export interface OverviewRoutesOptions {
  events: Pick<EventStore, 'overview'>;
  endpoints: Pick<EndpointStore, 'list'>;
  issues: Pick<IssueStore, 'list'>;
  clock: Clock;
}

/** The route of the overview: one answer for all endpoints that the token may see. */
export function overviewRoutes(options: OverviewRoutesOptions): Route[] {
  const { events, endpoints, issues, clock } = options;
  const turns = new Turns({ slots: RUNNING, slotsPerKey: RUNNING_PER_ACCOUNT });
  return routesOf(OVERVIEW_CALLS, {
    async 'GET /api/overview'({ principal, query: { range = 'day' }, signal }) {
      const window = windowOfRange(range, clock.now());
      const scope = issueScopeOf(principal);
      const seen = scope.endpointIds;
      const found = await turns.run(
        principal.user.id,
        () => events.overview(scopeOf(principal), window, signal),
        signal,
      );
      const open = await issues.list(scope, { state: 'open' }, { offset: 0, limit: SHOWN_ISSUES });
      const silence = await issues.list(
        scope,
        { state: 'open', kind: 'silence' },
        { offset: 0, limit: SHOWN_SILENT },
      );
      const all = await endpoints.list(principal.user.id);
      return overviewView({
        range,
        window,
        found,
        endpoints: seen === null ? all : all.filter(({ id }) => seen.includes(id)),
        issues: { open: open.total, newest: open.issues.map(issueView) },
        silent: silence.issues.flatMap((issue) => issueView(issue).endpoint_id ?? []),
      });
    },
  });
}
