import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { endpoints } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';
import { IssueState } from './issue-state.tsx';
import { SeverityMark } from './severity-mark.tsx';

/** The headings of the columns. Screen readers skip them, because each row has its own words. */
export function IssueColumns() {
  return (
    <div class="issue-columns" aria-hidden="true">
      <span />
      <span>What</span>
      <span />
      <span>Where</span>
      <span class="issue-count">Seen</span>
      <span class="issue-since">Since</span>
      <span class="issue-last">Last</span>
    </div>
  );
}

/** Shows what is wrong, where, since when, and how often. */
export function IssueRow({ issue }: { issue: IssueAnswer }) {
  const { id, kind, state, title, endpoint_id, count, first_at, last_at } = issue;
  const endpoint = endpoints.value?.find((one) => one.id === endpoint_id);
  return (
    <li>
      <a class="issue-row" href={`/issues/${id}`}>
        <SeverityMark issue={issue} />
        <Foreign class="issue-title" text={title} />
        {state === 'open' ? <span /> : <IssueState state={state} />}
        <span class="issue-place muted">
          {kind}
          {endpoint && (
            <>
              {' '}
              · <Foreign text={endpoint.name} />
            </>
          )}
        </span>
        <span class="issue-count" title={counted(count, 'time')}>
          {formatCount(count)}×
        </span>
        <span class="issue-since muted">
          <span class="issue-word">since </span>
          <Time at={first_at} />
        </span>
        <span class="issue-last muted">
          <Time at={last_at} />
        </span>
      </a>
    </li>
  );
}
