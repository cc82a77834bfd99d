import { useState } from 'preact/hooks';
import type { ListedDeliveryAnswer } from '../../../api/deliveries/delivery-answer.ts';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { asTyped } from '../../model/as-typed.ts';
import { zone } from '../../model/clock.ts';
import { destinationsOf } from '../../model/page.ts';
import { endpointPath, eventPath, place } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useEndpointNews } from '../../parts/hooks/use-endpoint-news.ts';
import { useKept } from '../../parts/hooks/use-kept.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { useNow } from '../../parts/hooks/use-now.ts';
import { Pager, pageOf } from '../../parts/pager.tsx';
import { Problem } from '../../parts/problem.tsx';
import { QuerySelect } from '../../parts/query-select.tsx';
import { Time } from '../../parts/time.tsx';
import { STATE_TEXT } from '../../text/delivery-state.ts';
import { waitText } from '../../text/destination-condition.ts';
import { isolated } from '../../text/foreign-text.ts';
import { unjudgedText } from '../../text/unjudged-text.ts';
import { ReplayMany } from '../replay/replay-many.tsx';
import { DeliveryActions } from './delivery-actions.tsx';

const PAGE_DELIVERIES = 50;
/** The delay between news and a reload, ms. */
const REST_MS = 1000;

const STATES = [['', 'every state'], ...Object.entries(STATE_TEXT)] as const;

/** Shows an endpoint's deliveries, newest first. The address contains the filter and the page. */
export function DeliveryList({ endpoint }: { endpoint: EndpointAnswer }) {
  const at = place.value;
  const state = at.query.get('state') ?? '';
  const destinationId = at.query.get('destination') ?? '';
  const { value: destinations } = useLoaded(endpoint.id, () => destinationsOf(endpoint.id));
  const chosen = destinations?.find(({ id }) => id === destinationId);
  const [isJudging, setJudging] = useState(false);
  const loaded = useCall('GET /api/endpoints/{id}/deliveries', {
    params: { id: endpoint.id },
    query: asTyped({
      state,
      destination: destinationId,
      page: pageOf(at),
      limit: PAGE_DELIVERIES,
    }),
  });
  const { error, reload } = loaded;
  const { value, isStale } = useKept(loaded);
  useEndpointNews(endpoint.id, reload, REST_MS);
  const now = useNow(value?.data.some((one) => one.state === 'pending') ?? false);
  return (
    <div class={`page-body${isStale ? ' renewing' : ''}`} aria-busy={isStale}>
      <div class="inline">
        <QuerySelect name="state" label="State" of={STATES} />
        <QuerySelect
          name="destination"
          label="Destination"
          class="cut"
          of={choicesOf(destinations ?? [], destinationId)}
        />
        <span class="muted" role="status">
          {value ? counted(value.total, 'delivery', 'deliveries') : !error && 'Loading …'}
        </span>
      </div>
      {state === 'filtered' && chosen && (
        <div class="actions">
          <button type="button" onClick={() => setJudging(true)}>
            Judge these again …
          </button>
        </div>
      )}
      {isJudging && chosen && (
        <ReplayMany
          endpoint={endpoint}
          filter={{}}
          filteredBy={chosen}
          onClose={() => setJudging(false)}
        />
      )}
      {error && <Problem error={error} retry={reload} />}
      {value?.total === 0 && (
        <NoDeliveries
          endpointId={endpoint.id}
          isFiltered={state !== '' || destinationId !== ''}
          hasDestination={destinations === null || destinations.length > 0}
        />
      )}
      <ul class="plain-list ruled delivery-list">
        {value?.data.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            endpointId={endpoint.id}
            delivery={delivery}
            to={destinationText(destinations, delivery)}
            now={now}
            onChanged={reload}
          />
        ))}
      </ul>
      <Pager total={value?.total} size={PAGE_DELIVERIES} />
    </div>
  );
}

interface NoDeliveriesProps {
  endpointId: string;
  isFiltered: boolean;
  hasDestination: boolean;
}

/** Explains why the list is empty, and what to do next. */
function NoDeliveries({ endpointId, isFiltered, hasDestination }: NoDeliveriesProps) {
  const path = endpointPath(endpointId, 'deliveries');
  if (isFiltered) {
    return (
      <p class="empty">
        <span>
          No delivery matches. <a href={path}>Show all deliveries</a>
        </span>
      </p>
    );
  }
  return (
    <p class="empty">
      <span>
        {hasDestination
          ? 'No event has come since the destination was added. '
          : 'Events are kept here and go nowhere else. '}
        <a href={endpointPath(endpointId, 'destinations')}>
          {hasDestination ? 'Destinations' : 'Add a destination'}
        </a>
      </span>
    </p>
  );
}

/** Returns the destinations to choose from. Includes a removed destination while it is chosen. */
function choicesOf(destinations: readonly DestinationAnswer[], chosen: string): [string, string][] {
  const choices: [string, string][] = [
    ['', 'every destination'],
    ...destinations.map(({ id, name, url }): [string, string] => [id, isolated(name ?? url)]),
  ];
  return choices.some(([id]) => id === chosen) ? choices : [...choices, [chosen, chosen]];
}

/** Returns the destination's name, or its URL if it has no name. */
function destinationText(
  destinations: readonly DestinationAnswer[] | null,
  { destination_id: id, destination_url: url }: ListedDeliveryAnswer,
): string {
  if (id === null) return `${url} (once)`;
  if (destinations === null) return id;
  const destination = destinations.find((one) => one.id === id);
  return destination ? (destination.name ?? destination.url) : `${id} (removed)`;
}

interface DeliveryRowProps {
  endpointId: string;
  delivery: ListedDeliveryAnswer;
  /** The destination's name or URL. */
  to: string;
  now: number;
  onChanged(): void;
}

function DeliveryRow({ endpointId, delivery, to, now, onChanged }: DeliveryRowProps) {
  const { id, event_id, state, attempts, error, created_at, unjudged } = delivery;
  return (
    <li>
      <div>
        <p>
          <span class={`badge is-${state}`}>{STATE_TEXT[state]}</span>{' '}
          <a class="mono" href={`${eventPath(endpointId, event_id)}?tab=deliveries`}>
            {event_id}
          </a>{' '}
          to <Foreign class="wrap" text={to} />
          {unjudged && (
            <>
              {' '}
              <span class="badge" title={unjudgedText(unjudged)}>
                unjudged
              </span>
            </>
          )}
        </p>
        <p class="muted">
          <Time at={created_at} form="said" /> · {counted(attempts, 'attempt')} ·{' '}
          <span class="mono">{id}</span>
        </p>
        {state === 'pending' && <p class="next">{waitText(delivery, now, zone.value)}</p>}
        {error && (
          <p class="attempt-error">
            <Foreign text={error.message} />
          </p>
        )}
      </div>
      <DeliveryActions delivery={delivery} about={`the delivery ${id}`} onChanged={onChanged} />
    </li>
  );
}
