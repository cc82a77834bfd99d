import { counted } from '../../../core/text/words.ts';
import { asTyped } from '../../model/as-typed.ts';
import { endpoints } from '../../model/page.ts';
import { place } from '../../model/router.ts';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useKept } from '../../parts/hooks/use-kept.ts';
import { useReloadOnNews } from '../../parts/hooks/use-reload-on-news.ts';
import { Pager, pageOf } from '../../parts/pager.tsx';
import { Pending } from '../../parts/pending.tsx';
import { QuerySelect } from '../../parts/query-select.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { bySeverity, ISSUE_KINDS } from '../../text/issue-labels.ts';
import { ViewHead } from '../shell/view-head.tsx';
import { IssueColumns, IssueRow } from './issue-row.tsx';

/** Issues per page: the API's maximum, because the page sorts only its own issues by severity. */
const PAGE_ISSUES = 200;
/** The delay between news and a reload, ms. */
const REST_MS = 2000;

const STATES = [
  ['open', 'open'],
  ['acknowledged', 'acknowledged'],
  ['ignored', 'ignored'],
  ['resolved', 'resolved'],
  ['all', 'every state'],
] as const;
const KINDS = [['', 'every kind'], ...ISSUE_KINDS.map((kind) => [kind, kind] as const)] as const;

/**
 * Shows the issues, open ones first, and then by severity. The address contains the filter and the
 * page.
 */
export function IssueList() {
  const here = place.value;
  const state = here.query.get('state') ?? 'open';
  const kind = here.query.get('kind') ?? '';
  const endpoint = here.query.get('endpoint') ?? '';
  const wanted = state === 'all' ? '' : state;
  const loaded = useCall('GET /api/issues', {
    query: asTyped({ state: wanted, kind, endpoint, page: pageOf(here), limit: PAGE_ISSUES }),
  });
  useReloadOnNews({
    key: 'issues',
    concerns: (news) => news.kind !== 'event',
    reload: loaded.reload,
    restMs: REST_MS,
  });
  const { value, isStale } = useKept(loaded);
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
              {isFiltered ? ' found' : ''}
            </span>
          )
        }
      />
      <div class="inline issue-filters">
        <QuerySelect name="state" label="State" of={STATES} usual="open" />
        <QuerySelect name="kind" label="Kind" of={KINDS} />
        <QuerySelect
          name="endpoint"
          label="Endpoint"
          class="issue-endpoint"
          of={[['', 'every endpoint'], ...places]}
        />
      </div>
      <Pending {...loaded} value={value} />
      {value?.data.length === 0 && <None isFiltered={isFiltered} />}
      {value && value.data.length > 0 && (
        <div class="issue-box">
          <IssueColumns />
          <ul class="issue-list" aria-busy={isStale}>
            {bySeverity(value.data).map((issue) => (
              <IssueRow key={issue.id} issue={issue} />
            ))}
          </ul>
        </div>
      )}
      <Pager total={value?.total} size={PAGE_ISSUES} />
    </>
  );
}

function None({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div class="empty">
      <p>{isFiltered ? 'No issue matches.' : 'Nothing is wrong: there is no open issue.'}</p>
      <p>
        {isFiltered ? (
          <a href="/issues">Open issues</a>
        ) : (
          <>
            <a href="/account/alerts">Get the next one</a> by webhook, Slack or email.
          </>
        )}
      </p>
    </div>
  );
}
