import { useRef } from 'preact/hooks';
import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import type { Page } from '../../../api/list-page-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { asTyped } from '../../model/as-typed.ts';
import { endpoints } from '../../model/page.ts';
import { navigate, place, withQuery } from '../../model/router.ts';
import { Options } from '../../parts/form/options.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';
import { Problem } from '../../parts/problem.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { bySeverity, ISSUE_KINDS } from '../../text/issue-labels.ts';
import { ViewHead } from '../shell/view-head.tsx';
import { IssueColumns, IssueRow } from './issue-row.tsx';

/** The most that the API gives at once, so that the order by severity is nearly whole. */
const PAGE_ISSUES = 200;
/** Delay between news and a reload, ms. */
const REST_MS = 2000;

const STATES = [
  ['open', 'open'],
  ['acknowledged', 'acknowledged'],
  ['ignored', 'ignored'],
  ['resolved', 'resolved'],
  ['all', 'every state'],
] as const;
const KINDS = [['', 'every kind'], ...ISSUE_KINDS.map((kind) => [kind, kind] as const)] as const;

/** The issues, open ones first, by severity. The address holds the filter and the page. */
export function IssueList() {
  const here = place.value;
  const state = here.query.get('state') ?? 'open';
  const kind = here.query.get('kind') ?? '';
  const endpoint = here.query.get('endpoint') ?? '';
  const page = Math.max(1, Math.floor(Number(here.query.get('page'))) || 1);
  const wanted = state === 'all' ? '' : state;
  const loaded = useCall('GET /api/issues', {
    query: asTyped({ state: wanted, kind, endpoint, page, limit: PAGE_ISSUES }),
  });
  const { error, reload } = loaded;
  useReloadOnNews({
    key: 'issues',
    concerns: (news) => news.kind !== 'event',
    reload,
    restMs: REST_MS,
  });
  // The rows stay while those of another filter load.
  const kept = useRef<Page<IssueAnswer> | null>(null);
  if (loaded.value || error) kept.current = loaded.value;
  const value = loaded.value ?? kept.current;
  const pages = value ? Math.max(1, Math.ceil(value.total / PAGE_ISSUES)) : page;
  const choose = (changes: Record<string, string | null>) =>
    navigate(withQuery(here, { page: null, ...changes }));
  const isFiltered = kind !== '' || endpoint !== '' || state !== 'open';
  const places = (endpoints.value ?? []).map(({ id, name }) => [id, isolated(name)] as const);
  return (
    <>
      <ViewHead
        title="Issues"
        what={
          value && (
            <span role="status">
              {counted(value.total, 'issue')}
              {isFiltered ? ' like this' : ''}
            </span>
          )
        }
      />
      <div class="inline issue-filters">
        <select
          aria-label="State"
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            choose({ state: chosen === 'open' ? null : chosen });
          }}
        >
          <Options of={STATES} initial={state} />
        </select>
        <select aria-label="Kind" onChange={(event) => choose({ kind: event.currentTarget.value })}>
          <Options of={KINDS} initial={kind} />
        </select>
        <select
          aria-label="Endpoint"
          class="issue-endpoint"
          onChange={(event) => choose({ endpoint: event.currentTarget.value })}
        >
          <Options of={[['', 'every endpoint'], ...places]} initial={endpoint} />
        </select>
      </div>
      {error && <Problem error={error} retry={reload} />}
      {!value && !error && <p class="waiting">Loading …</p>}
      {value?.data.length === 0 && <None isFiltered={isFiltered} />}
      {value && value.data.length > 0 && (
        <div class="issue-box">
          <IssueColumns />
          <ul class="issue-list" aria-busy={loaded.value === null}>
            {bySeverity(value.data).map((issue) => (
              <IssueRow key={issue.id} issue={issue} />
            ))}
          </ul>
        </div>
      )}
      {pages > 1 && (
        <div class="actions">
          <button
            type="button"
            disabled={page <= 1}
            onClick={() => choose({ page: String(page - 1) })}
          >
            Newer
          </button>
          <button
            type="button"
            disabled={page >= pages}
            onClick={() => choose({ page: String(page + 1) })}
          >
            Older
          </button>
        </div>
      )}
    </>
  );
}

function None({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div class="empty">
      <p>
        {isFiltered ? 'There is no issue like this.' : 'Nothing is wrong: there is no open issue.'}
      </p>
      <p>
        {isFiltered ? (
          <a href="/issues">Open issues</a>
        ) : (
          <>
            <a href="/account/alerts">Have the next one told</a> by webhook, Slack or email.
          </>
        )}
      </p>
    </div>
  );
}
