import { useState } from 'preact/hooks';
import type { Issue } from '../../../api/answers/issue.ts';
import type { Page } from '../../../api/answers/page.ts';
import { session } from '../../model/page.ts';
import { navigate, place, withQuery } from '../../model/router.ts';
import { Options } from '../../parts/form/options.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { plural, timeText } from '../../text/format.ts';
import { IssueDetail } from './issue-detail.tsx';
import { IssueState } from './issue-state.tsx';

const PAGE_ISSUES = 50;

const STATES = [
  ['open', 'open'],
  ['acknowledged', 'acknowledged'],
  ['ignored', 'ignored'],
  ['resolved', 'resolved'],
  ['all', 'all'],
] as const;

/** What is wrong: the list, or one of them. */
export default function Issues({ issueId }: { issueId: string | null }) {
  return (
    <div class="page-body narrow">
      {issueId === null ? <IssueList /> : <IssueDetail key={issueId} issueId={issueId} />}
    </div>
  );
}

function IssueList() {
  const here = place.value;
  const state = here.query.get('state') ?? 'open';
  const [page, setPage] = useState(1);
  const filter = state === 'all' ? '' : `&state=${encodeURIComponent(state)}`;
  const { value, error, reload } = useLoaded(`issues ${state} ${page}`, (signal) =>
    session.call<Page<Issue>>('GET', `/api/issues?page=${page}&limit=${PAGE_ISSUES}${filter}`, {
      signal,
    }),
  );
  const pages = value ? Math.max(1, Math.ceil(value.total / PAGE_ISSUES)) : page;
  return (
    <>
      <div class="page-head">
        <h1>Issues</h1>
        <select
          aria-label="State"
          onChange={(event) => {
            setPage(1);
            navigate(withQuery(here, { state: event.currentTarget.value }));
          }}
        >
          <Options of={STATES} initial={state} />
        </select>
      </div>
      {error && <Problem error={error} retry={reload} />}
      {value?.data.length === 0 && <p class="empty">There is none.</p>}
      <ul class="plain-list lines">
        {value?.data.map((issue) => (
          <li key={issue.id}>
            <div>
              <a href={`/issues/${issue.id}`}>
                <bdi>{issue.title}</bdi>
              </a>
              <p class="muted">
                {issue.kind} · {plural(issue.count, 'time')} · last {timeText(issue.last_at)}
              </p>
            </div>
            <IssueState state={issue.state} />
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <div class="actions">
          <button type="button" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            Newer
          </button>
          <button type="button" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            Older
          </button>
        </div>
      )}
    </>
  );
}
