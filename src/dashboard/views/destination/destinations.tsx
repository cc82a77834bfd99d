import '../../styles/destinations.css';
import { useState } from 'preact/hooks';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { destinationsOf } from '../../model/page.ts';
import { hoursOf, useDestinationStats } from '../../parts/hooks/use-destination-stats.ts';
import { useEndpointNews } from '../../parts/hooks/use-endpoint-news.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { AddDestination } from './add-destination.tsx';
import { DestinationCard } from './destination-card.tsx';

/**
 * The delay between news and a reload of the list, ms. Each reload makes the server count the
 * waiting deliveries.
 */
const REST_MS = 2000;
const NONE: readonly DestinationAnswer[] = [];

export function Destinations({ endpoint }: { endpoint: EndpointAnswer }) {
  const { value: list, error, reload } = useLoaded(endpoint.id, () => destinationsOf(endpoint.id));
  // An attempt changes a destination's health and its waiting deliveries. An event adds deliveries.
  useEndpointNews(endpoint.id, reload, REST_MS);
  const { value: stats } = useDestinationStats(endpoint.id);
  const [isAdding, setAdding] = useState(false);
  return (
    <div class="page-body">
      <div class="page-head">
        <h2>Destinations</h2>
        {list && list.length > 0 && (
          <button
            type="button"
            class={isAdding ? '' : 'primary'}
            aria-expanded={isAdding}
            onClick={() => setAdding(!isAdding)}
          >
            {isAdding ? 'Close' : 'Add a destination'}
          </button>
        )}
      </div>
      {error && <Problem error={error} retry={reload} />}
      {list?.length === 0 && (
        <p class="muted">
          Events are stored and not delivered. A destination gets the events that are captured after
          you add it. You can replay older events to it.
        </p>
      )}
      {list && (isAdding || list.length === 0) && (
        <AddDestination
          endpoint={endpoint}
          list={list}
          onAdded={() => {
            // The form stays open, because it shows the secret and can add another destination.
            setAdding(true);
            reload();
          }}
        />
      )}
      <ul class="plain-list">
        {(list ?? NONE).map((destination) => (
          <DestinationCard
            key={destination.id}
            endpoint={endpoint}
            destination={destination}
            hours={hoursOf(stats, destination.id)}
            onChanged={reload}
          />
        ))}
      </ul>
    </div>
  );
}
