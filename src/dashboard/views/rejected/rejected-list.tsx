import type { Endpoint } from '../../../api/answers/endpoint.ts';
import type { Page } from '../../../api/answers/page.ts';
import type { RejectedRequest } from '../../../api/answers/rejected-request.ts';
import { session } from '../../model/page.ts';
import { navigate, place, rejectedPath, withQuery } from '../../model/router.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { useReloadWhileVisible } from '../../parts/hooks/use-reload-while-visible.ts';
import { Problem } from '../../parts/problem.tsx';
import { fullTimeText, plural, sizeText } from '../../text/format.ts';
import { reasonText } from '../../text/proof/verification-text.ts';

const PAGE_REQUESTS = 50;
/** Interval between two looks at the list, ms: the stream has no news of rejected requests. */
const LOOK_MS = 5000;

/** The rejected requests of an endpoint, newest first. The address holds the page. */
export function RejectedList({ endpoint }: { endpoint: Endpoint }) {
  const at = place.value;
  const page = Math.max(1, Math.floor(Number(at.query.get('page'))) || 1);
  const path = `/api/endpoints/${endpoint.id}/rejected?page=${page}&limit=${PAGE_REQUESTS}`;
  const { value, error, reload } = useLoaded(path, (signal) =>
    session.call<Page<RejectedRequest>>('GET', path, { signal }),
  );
  useReloadWhileVisible(reload, LOOK_MS);
  const pages = value ? Math.max(1, Math.ceil(value.total / PAGE_REQUESTS)) : page;
  const goTo = (to: number) => navigate(withQuery(at, { page: to === 1 ? null : String(to) }));
  return (
    <div class="page-body">
      <h2 class="off-screen">Rejected requests</h2>
      <p class="muted" role="status">
        {value ? plural(value.total, 'rejected request') : !error && 'Loading …'}
      </p>
      {error && <Problem error={error} retry={reload} />}
      {value?.total === 0 && (
        <p class="muted">
          {endpoint.source?.enforce
            ? 'Each request that fails the proof of its sender is kept here.'
            : 'Nothing is refused: the proof of the sender isn’t enforced.'}{' '}
          <a href={`/endpoints/${endpoint.id}/settings`}>Settings</a>
        </p>
      )}
      <ul class="plain-list lines delivery-list">
        {value?.data.map((request) => (
          <Row key={request.id} endpointId={endpoint.id} request={request} />
        ))}
      </ul>
      {(pages > 1 || page > 1) && (
        <div class="actions">
          <button type="button" disabled={page <= 1} onClick={() => goTo(page - 1)}>
            Newer
          </button>
          <button type="button" disabled={page >= pages} onClick={() => goTo(page + 1)}>
            Older
          </button>
          <span class="muted">
            page {page} of {Math.max(page, pages)}
          </span>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  endpointId: string;
  request: RejectedRequest;
}

function Row({ endpointId, request }: RowProps) {
  const { id, method, path, size, received_at, source_ip, verification } = request;
  const { says } = reasonText(verification.reason ?? verification.state);
  return (
    <li>
      <div>
        <p>
          <span class={`method is-${method.toLowerCase()}`}>{method}</span>{' '}
          <a class="mono" href={rejectedPath(endpointId, id)}>
            {path || '/'}
          </a>{' '}
          · {says}
        </p>
        <p class="muted">
          <time dateTime={received_at}>{fullTimeText(received_at)}</time> · {sizeText(size)} · from{' '}
          {source_ip}
        </p>
      </div>
    </li>
  );
}
