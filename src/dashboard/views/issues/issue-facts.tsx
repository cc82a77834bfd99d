import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { endpoints } from '../../model/page.ts';
import { Facts } from '../../parts/facts.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';
import { KIND_TEXT, SEVERITY_TEXT, severityOf } from '../../text/issue-labels.ts';
import { SeverityMark } from './severity-mark.tsx';

/** Shows an issue's place, its age, and how often it was seen. */
export function IssueFacts({ issue }: { issue: IssueAnswer }) {
  const { kind, endpoint_id, count, first_at, last_at, state } = issue;
  const tab = tabOf(issue);
  const severity = severityOf(issue);
  const endpoint = endpoints.value?.find(({ id }) => id === endpoint_id);
  const where =
    endpoint_id === null ? (
      <a href="/account/alerts">your channels</a>
    ) : (
      <>
        <a href={`/endpoints/${endpoint_id}`}>
          <Foreign text={endpoint?.name ?? endpoint_id} />
        </a>{' '}
        · <a href={`/endpoints/${endpoint_id}/${tab}`}>{tab}</a>
      </>
    );
  const mark = (
    <>
      <SeverityMark issue={issue} /> {severity}
    </>
  );
  return (
    <Facts
      class="issue-facts"
      of={[
        ['Kind', kind, KIND_TEXT[kind]],
        ['Severity', mark, SEVERITY_TEXT[severity]],
        ['Where', where],
        ['Seen', counted(count, 'time')],
        ['Since', <Time key="since" at={first_at} />],
        [state === 'resolved' ? 'Over' : 'Last', <Time key="last" at={last_at} />],
      ]}
    />
  );
}

/** Returns the endpoint's tab where a person can solve the issue. */
function tabOf({ kind, destination_id }: IssueAnswer): string {
  if (destination_id !== null) return 'destinations';
  return kind === 'drift' ? 'types' : 'settings';
}
