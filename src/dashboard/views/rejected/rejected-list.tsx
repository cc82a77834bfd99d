import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { RejectedRequestAnswer } from '../../../api/events/rejected-request-answer.ts';
import { formatSize } from '../../../core/text/size.ts';
import { counted } from '../../../core/text/words.ts';
import { endpointPath, place, rejectedPath } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useReloadWhileVisible } from '../../parts/hooks/use-reload-while-visible.ts';
import { Pager, pageOf } from '../../parts/pager.tsx';
import { Problem } from '../../parts/problem.tsx';
import { RequestLine } from '../../parts/request-line.tsx';
import { Time } from '../../parts/time.tsx';
import { reasonText } from '../../text/verification-text.ts';

const PAGE_REQUESTS = 50;
/** Polling interval, ms. The list polls, because the stream has no news of rejected requests. */
const POLL_MS = 5000;

/** Shows the rejected requests of an endpoint, newest first. The address contains the page. */
export function RejectedList({ endpoint }: { endpoint: EndpointAnswer }) {
  const { value, error, reload } = useCall('GET /api/endpoints/{id}/rejected', {
    params: { id: endpoint.id },
    query: { page: pageOf(place.value), limit: PAGE_REQUESTS },
  });
  useReloadWhileVisible(reload, POLL_MS);
  return (
    <div class="page-body">
      <h2 class="off-screen">Rejected requests</h2>
      {value?.total !== 0 && (
        <p class="muted" role="status">
          {value ? counted(value.total, 'rejected request') : !error && 'Loading …'}
        </p>
      )}
      {error && <Problem error={error} retry={reload} />}
      {value?.total === 0 && <NothingRejected endpoint={endpoint} />}
      {value && value.data.length > 0 && (
        <ul class="rows rejected-list">
          {value.data.map((request) => (
            <Row key={request.id} endpointId={endpoint.id} request={request} />
          ))}
        </ul>
      )}
      <Pager total={value?.total} size={PAGE_REQUESTS} />
    </div>
  );
}

/** Explains why the list is empty, and how to change that. */
function NothingRejected({ endpoint: { id, source } }: { endpoint: EndpointAnswer }) {
  const settings = endpointPath(id, 'source');
  if (source?.enforce) {
    return (
      <div class="empty">
        <p>
          Nothing was refused. A request that fails the proof of its sender is answered 401, or 503
          where a key can’t be fetched now, and kept here, where you can accept it.
        </p>
      </div>
    );
  }
  return (
    <div class="empty">
      <p>
        {source
          ? 'Nothing is refused: the source isn’t enforced, so requests that fail are captured.'
          : 'Nothing is refused: the endpoint has no source, so no request is checked.'}
      </p>
      <a href={settings}>{source ? 'Enforce the source' : 'Set a source'}</a>
    </div>
  );
}

interface RowProps {
  endpointId: string;
  request: RejectedRequestAnswer;
}

function Row({ endpointId, request }: RowProps) {
  const { id, method, path, size, received_at, source_ip, verification } = request;
  const { says } = reasonText(verification.reason ?? verification.state);
  return (
    <li>
      <a class="rejected-row" href={rejectedPath(endpointId, id)}>
        <span class="row-main">
          <span class="rejected-target">
            <RequestLine method={method} path={path} />
          </span>
          <span>
            <Foreign text={says} />
          </span>
          <span class="muted">
            {formatSize(size)} · from {source_ip}
          </span>
        </span>
        <Time at={received_at} class="row-time muted" />
      </a>
    </li>
  );
}
