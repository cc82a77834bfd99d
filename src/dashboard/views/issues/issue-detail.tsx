import type { Issue } from '../../../api/answers/issue.ts';
import { act, session, tell } from '../../model/page.ts';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { fullTimeText } from '../../text/format.ts';
import { IssueState } from './issue-state.tsx';

const CHANGES = [
  ['acknowledged', 'Acknowledge', 'Acknowledged: channels get no more messages'],
  ['resolved', 'Resolve', 'Resolved: it opens when it happens again'],
  ['ignored', 'Ignore', 'Ignored: it stays silent'],
] as const;

/** An issue with its cause, what to do, and events that show it. */
export function IssueDetail({ issueId }: { issueId: string }) {
  const path = `/api/issues/${encodeURIComponent(issueId)}`;
  const {
    value: issue,
    error,
    reload,
  } = useLoaded(path, (signal) => session.call<Issue>('GET', path, { signal }));
  const [isBusy, once] = useAction();
  const change = (state: string, done: string) =>
    once(() =>
      act(async () => {
        await session.call('PATCH', path, { body: { state } });
        tell(done);
        reload();
      }),
    );
  if (!issue) {
    return error ? <Problem error={error} retry={reload} /> : <p class="waiting">Loading …</p>;
  }
  return (
    <>
      <p>
        <a href="/issues">All issues</a>
      </p>
      <div class="page-head">
        <h1>
          <bdi>{issue.title}</bdi>
        </h1>
        <IssueState state={issue.state} />
      </div>
      <div class="actions">
        {CHANGES.map(([state, name, done]) => (
          <button
            key={state}
            type="button"
            disabled={isBusy || issue.state === state}
            onClick={() => change(state, done)}
          >
            {name}
          </button>
        ))}
      </div>
      <section>
        <h2>Cause</h2>
        <p>{issue.cause}</p>
        <p class="muted">
          Seen {issue.count} × · first {fullTimeText(issue.first_at)} · last{' '}
          {fullTimeText(issue.last_at)}
        </p>
        <Place issue={issue} />
      </section>
      <section>
        <h2>What to do</h2>
        <ul>
          {issue.suggestion.split('\n').map((step) => (
            <li key={step} class="wrap">
              {step}
            </li>
          ))}
        </ul>
      </section>
      {issue.event_ids.length > 0 && (
        <section>
          <h2>Events that show it</h2>
          <ul class="plain-list">
            {issue.event_ids.map((id) => (
              <li key={id}>
                <a class="mono" href={`/events/${id}`}>
                  {id}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Place({ issue: { endpoint_id, destination_id } }: { issue: Issue }) {
  if (endpoint_id === null) return null;
  const tab = destination_id === null ? 'settings' : 'destinations';
  return (
    <p>
      <a href={`/endpoints/${endpoint_id}`}>The endpoint</a> ·{' '}
      <a href={`/endpoints/${endpoint_id}/${tab}`}>its {tab}</a>
    </p>
  );
}
