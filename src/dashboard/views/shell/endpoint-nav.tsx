import { useEffect, useRef, useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { openOverlay } from '../../model/overlay.ts';
import { overview } from '../../model/overview.ts';
import { endpoints } from '../../model/page.ts';
import { endpointPath, type PageView } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { ENDPOINT_STATE_TEXT, type EndpointLook, lookOf } from './endpoint-state.ts';

/** A list of at least this many endpoints has a search field. */
const SEARCH_FROM = 9;
/** The largest number of drawn links. */
const MOST = 200;

/** Links to the endpoints, each with its state. */
export function EndpointNav({ view }: { view: PageView }) {
  const list = endpoints.value ?? [];
  const [typed, setTyped] = useState('');
  const current = 'endpointId' in view ? view.endpointId : null;
  const box = useRef<HTMLUListElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const wanted = typed.trim().toLowerCase();
  const found = list.filter(({ name }) => name.toLowerCase().includes(wanted));
  const known = overview.value.value;
  const figures = known && new Map(known.endpoints.map((one) => [one.endpoint_id, one]));
  return (
    <nav class="side-endpoints" aria-label="Endpoints">
      <div class="side-title">
        <a href="/endpoints" aria-current={view.kind === 'endpoints' ? 'page' : undefined}>
          Endpoints
        </a>
        <button
          type="button"
          class="quiet"
          title="New endpoint (n)"
          onClick={() => openOverlay('new-endpoint')}
        >
          + New
        </button>
      </div>
      {list.length >= SEARCH_FROM && (
        <input
          type="search"
          class="side-find"
          aria-label="Find an endpoint"
          placeholder={`Find in ${list.length}`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <ul ref={box}>
        {found.slice(0, MOST).map((endpoint) => (
          <li key={endpoint.id}>
            <EndpointLink
              endpoint={endpoint}
              look={lookOf(endpoint, figures)}
              isCurrent={endpoint.id === current}
            />
          </li>
        ))}
      </ul>
      {found.length === 0 && wanted !== '' && <p class="muted">No endpoint has that name.</p>}
      {found.length > MOST && <a href="/endpoints">All {found.length}</a>}
    </nav>
  );
}

interface EndpointLinkProps {
  endpoint: EndpointAnswer;
  look: EndpointLook;
  isCurrent: boolean;
}

function EndpointLink({ endpoint: { id, name }, look, isCurrent }: EndpointLinkProps) {
  const [mark, words] = ENDPOINT_STATE_TEXT[look];
  return (
    <a
      class="side-link"
      href={endpointPath(id)}
      title={`${isolated(name)}: ${words}`}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span class={`mark is-${look}`} aria-hidden="true">
        {mark}
      </span>
      <Foreign class="cut" text={name} />
      <span class="off-screen">, {words}</span>
    </a>
  );
}
