import '../../styles/destinations.css';
import { useEffect, useRef } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { endpointPath, navigate } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { hoursOf, useDestinationStats } from '../../parts/hooks/use-destination-stats.ts';
import { useEndpointNews } from '../../parts/hooks/use-endpoint-news.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { DestinationControl } from './destination-control.tsx';
import { EditDestination } from './edit-destination.tsx';
import { loadDestination } from './load-destination.ts';

/** The delay between news and a reload of the destination, ms. */
const REST_MS = 2000;

interface DestinationViewProps {
  endpoint: EndpointAnswer;
  destinationId: string;
}

/** Shows one destination with all of its settings. */
export function DestinationView({ endpoint, destinationId }: DestinationViewProps) {
  const params = { id: endpoint.id, destinationId };
  const { value, error, reload } = useLoaded(`${endpoint.id} ${destinationId}`, (signal) =>
    loadDestination(params, signal),
  );
  useEndpointNews(endpoint.id, reload, REST_MS);
  const { value: stats } = useDestinationStats(endpoint.id);
  const list = endpointPath(endpoint.id, 'destinations');
  return (
    <div class="page-body destination-view">
      <a href={list} class="back">
        ‹ Destinations
      </a>
      {error?.code === 'destination_not_found' ? (
        <div class="empty">
          <h2>There is no such destination</h2>
          <p>It was removed, or it is another endpoint’s.</p>
        </div>
      ) : (
        error && <Problem error={error} retry={reload} />
      )}
      {!value && !error && <p class="waiting">Loading …</p>}
      {value && (
        <>
          <header class="destination-head">
            <DestinationControl
              endpoint={endpoint}
              destination={value}
              hours={hoursOf(stats, value.id)}
              isOwnView
              onChanged={reload}
              onRemoved={() => navigate(list, { replace: true })}
            >
              <Title text={value.name ?? value.url} />
            </DestinationControl>
          </header>
          <EditDestination
            params={params}
            endpoint={endpoint}
            destination={value}
            onChanged={reload}
          />
        </>
      )}
    </div>
  );
}

/** A heading that takes the focus from the card's link. */
function Title({ text }: { text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h2 ref={heading} tabIndex={-1} class="wrap destination-title">
      <Foreign text={text} />
    </h2>
  );
}
