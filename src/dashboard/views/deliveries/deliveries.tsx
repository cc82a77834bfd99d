import type { AttemptAnswer } from '../../../api/deliveries/attempt-answer.ts';
import type { DeliveryAnswer } from '../../../api/deliveries/delivery-answer.ts';
import { zone } from '../../model/clock.ts';
import { destinationsOf } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { STATE_TEXT } from '../../text/delivery-state.ts';
import { waitText } from '../../text/destination-condition.ts';
import type { EventDetail } from '../../text/event-answer.ts';
import { isolated } from '../../text/foreign-text.ts';
import { sentTo } from '../../text/request-url.ts';
import { AttemptLine } from './attempt-line.tsx';
import { DeliveryActions } from './delivery-actions.tsx';

interface DeliveriesProps {
  event: EventDetail;
  attempts: readonly AttemptAnswer[];
  endpointId: string;
  /** Unix ms. */
  now: number;
  onReplay(): void;
  /** Called after a delivery was retried or cancelled. */
  onChanged(): void;
}

interface Row {
  id: string;
  url: string;
  trigger: 'capture' | 'replay';
  /** Null if the URL belongs to no destination. */
  destinationId: string | null;
  /** The delivery; null for attempts of an earlier round. */
  delivery: DeliveryAnswer | null;
  attempts: AttemptAnswer[];
}

/** Returns one row per delivery with its attempts, newest first. */
function rowsOf(deliveries: readonly DeliveryAnswer[], attempts: readonly AttemptAnswer[]): Row[] {
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  const rows = new Map<string, Row>();
  for (const [id, of] of byDelivery) {
    rows.set(id, { id, ...targetOf(of[0] as AttemptAnswer), delivery: null, attempts: of });
  }
  for (const delivery of deliveries) {
    const { id } = delivery;
    rows.set(id, { id, ...targetOf(delivery), delivery, attempts: byDelivery.get(id) ?? [] });
  }
  // Ids sort by time.
  return [...rows.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

function targetOf({ destination_id, destination_url, trigger }: AttemptAnswer | DeliveryAnswer) {
  return { url: destination_url, trigger, destinationId: destination_id };
}

/** Shows a delivery's destination. A destination's name precedes the URL. */
function Target({ url, name }: { url: string; name: string | null }) {
  return (
    <span class="delivery-target cut" title={isolated(url)}>
      {name !== null && (
        <>
          <strong>
            <Foreign text={name} />
          </strong>{' '}
        </>
      )}
      <Foreign class={`mono${name === null ? '' : ' muted'}`} text={url} />
    </span>
  );
}

export function Deliveries(props: DeliveriesProps) {
  const { event, attempts, endpointId, now, onReplay, onChanged } = props;
  const rows = rowsOf(event.deliveries, attempts);
  const { value: destinations } = useLoaded(endpointId, () => destinationsOf(endpointId));
  const names = new Map(destinations?.map(({ id, name }) => [id, name]));
  const longest = Math.max(1, ...attempts.map(({ duration_ms }) => duration_ms));
  if (rows.length === 0) {
    return (
      <div class="empty">
        <p>There was no destination when this event came.</p>
        <p>
          <a href={`/endpoints/${endpointId}/destinations`}>Add a destination</a>, then{' '}
          <button type="button" class="link" onClick={onReplay}>
            replay it
          </button>
          .
        </p>
      </div>
    );
  }
  return (
    <div class="deliveries">
      {rows.map((row) => (
        <section key={row.id} class="delivery">
          <div class="delivery-head">
            <Target url={row.url} name={names.get(row.destinationId ?? '') ?? null} />
            {row.trigger === 'replay' && <span class="badge">replay</span>}
            {row.destinationId === null && <span class="badge">once</span>}
            <span class={`badge is-${row.delivery?.state ?? 'earlier'}`}>
              {row.delivery ? STATE_TEXT[row.delivery.state] : 'earlier'}
            </span>
          </div>
          <ol class="attempts">
            {row.attempts.map((attempt, i) => (
              <AttemptLine
                key={attempt.id}
                attempt={attempt}
                before={row.attempts[i - 1]}
                longest={longest}
                requestLine={`${event.method} ${sentTo(attempt.destination_url, event)}`}
              />
            ))}
          </ol>
          {row.delivery?.state === 'pending' && (
            <p class="next">{waitText(row.delivery, now, zone.value)}</p>
          )}
          {row.delivery && <DeliveryActions delivery={row.delivery} onChanged={onChanged} />}
        </section>
      ))}
    </div>
  );
}
