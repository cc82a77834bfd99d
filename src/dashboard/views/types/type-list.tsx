import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { IssueAnswer } from '../../../api/issues/issue-answer.ts';
import type { EventTypeAnswer } from '../../../api/types/event-type-answer.ts';
import { formatCount } from '../../../core/text/words.ts';
import { typePath } from '../../model/router.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';
import { Drifts } from './drifts.tsx';

/** The words that replace the type for events without one. */
export const NO_TYPE = 'without a type';

interface TypeListProps {
  endpoint: EndpointAnswer;
  types: readonly EventTypeAnswer[];
  drifts: readonly IssueAnswer[];
}

export function TypeList({ endpoint, types, drifts }: TypeListProps) {
  if (types.length === 0) {
    return (
      <div class="empty">
        <p>
          There is no type yet: hookrelay learns them from the events that come to this address.
        </p>
        <p>
          <CopyButton text={endpoint.capture_url} class="url" label="Copy the capture URL">
            <span class="mono url-text">{endpoint.capture_url}</span>
          </CopyButton>
        </p>
      </div>
    );
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
                    <Foreign text={type ?? NO_TYPE} />
                  </a>
                </td>
                <td class="wide">{provider}</td>
                <td class="right">{formatCount(count)}</td>
                <td class="wide">
                  <Time at={first_at} />
                </td>
                <td>
                  <Time at={last_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
