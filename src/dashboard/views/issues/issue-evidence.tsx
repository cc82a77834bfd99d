import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import { timeOfId } from '../../../core/text/id-time.ts';
import { eventPath } from '../../model/router.ts';
import { Time } from '../../parts/time.tsx';

/** Lists the newest events that show an issue. */
export function IssueEvidence({ issue: { endpoint_id, event_ids } }: { issue: IssueAnswer }) {
  if (event_ids.length === 0) return null;
  return (
    <section>
      <h2>Events that show it</h2>
      <ul class="rows evidence">
        {event_ids.map((id) => (
          <li key={id}>
            <a
              class="mono"
              href={endpoint_id === null ? `/events/${id}` : eventPath(endpoint_id, id)}
            >
              {id}
            </a>
            <Time at={new Date(timeOfId(id)).toISOString()} class="muted" />
          </li>
        ))}
      </ul>
    </section>
  );
}
