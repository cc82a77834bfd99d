import type { Endpoint } from '../../../api/answers/endpoint.ts';
import type { EventType } from '../../../api/answers/event-type.ts';
import type { Issue } from '../../../api/answers/issue.ts';
import { typePath } from '../../model/router.ts';
import { countText, fullTimeText, timeText } from '../../text/format.ts';
import { Drifts } from './drifts.tsx';

/** What stands for a type where events have none. */
export const NO_TYPE = 'without a type';

interface TypeListProps {
  endpoint: Endpoint;
  types: readonly EventType[];
  drifts: readonly Issue[];
}

export function TypeList({ endpoint, types, drifts }: TypeListProps) {
  if (types.length === 0) {
    return <p class="empty">There is no type yet: hookrelay learns them from your events.</p>;
  }
  return (
    <>
      <h2 class="off-screen">Types of events</h2>
      <Drifts drifts={drifts} />
      <div class="table-box">
        <table class="types">
          <thead>
            <tr>
              <th>Type</th>
              <th class="wide">Provider</th>
              <th class="right">Events</th>
              <th class="wide">First</th>
              <th>Last</th>
            </tr>
          </thead>
          <tbody>
            {types.map(({ type, provider, count, first_at, last_at }) => (
              <tr key={type}>
                <td class="wrap">
                  <a href={typePath(endpoint.id, type)}>
                    <bdi>{type ?? NO_TYPE}</bdi>
                  </a>
                </td>
                <td class="wide">{provider}</td>
                <td class="right">{countText(count)}</td>
                <Time at={first_at} class="wide" />
                <Time at={last_at} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Time({ at, class: name }: { at: string; class?: string }) {
  return (
    <td class={name}>
      <time dateTime={at} title={fullTimeText(at)}>
        {timeText(at)}
      </time>
    </td>
  );
}
