import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { endpoints } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';
import { KIND_TEXT, SEVERITY_TEXT, severityOf } from '../../text/issue-labels.ts';
import { SeverityMark } from './severity-mark.tsx';

/** Where an issue is, since when, and how often it was seen. */
export function IssueFacts({ issue }: { issue: IssueAnswer }) {
  const { kind, endpoint_id, count, first_at, last_at, state } = issue;
  const tab = tabOf(issue);
  const severity = severityOf(issue);
  const endpoint = endpoints.value?.find(({ id }) => id === endpoint_id);
  return (
    <dl class="issue-facts">
      <div>
        <dt>Kind</dt>
        <dd title={KIND_TEXT[kind]}>{kind}</dd>
      </div>
      <div>
        <dt>Severity</dt>
        <dd title={SEVERITY_TEXT[severity]}>
          <SeverityMark issue={issue} /> {severity}
        </dd>
      </div>
      <div>
        <dt>Where</dt>
        <dd>
          {endpoint_id === null ? (
            <a href="/account/alerts">your channels</a>
          ) : (
            <>
              <a href={`/endpoints/${endpoint_id}`}>
                <Foreign text={endpoint?.name ?? endpoint_id} />
              </a>{' '}
              · <a href={`/endpoints/${endpoint_id}/${tab}`}>{tab}</a>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Seen</dt>
        <dd>{counted(count, 'time')}</dd>
      </div>
      <div>
        <dt>Since</dt>
        <dd>
          <Time at={first_at} />
        </dd>
      </div>
      <div>
        <dt>{state === 'resolved' ? 'Over' : 'Last'}</dt>
        <dd>
          <Time at={last_at} />
        </dd>
      </div>
    </dl>
  );
}

/** The tab of the endpoint where a person can do something about it. */
function tabOf({ kind, destination_id }: IssueAnswer): string {
  if (destination_id !== null) return 'destinations';
  return kind === 'drift' ? 'types' : 'settings';
}
