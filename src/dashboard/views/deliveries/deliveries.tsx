import type { Attempt } from '../../../api/answers/attempt.ts';
import type { Delivery } from '../../../api/answers/delivery.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { STATE_TEXT } from '../../text/delivery-state.ts';
import { waitText } from '../../text/destination-condition.ts';
import type { EventDetail } from '../../text/event/event-answer.ts';
import { sentTo } from '../../text/event/request-url.ts';
import { isolated } from '../../text/foreign-text.ts';
import { AttemptLine } from './attempt-line.tsx';
import { DeliveryActions } from './delivery-actions.tsx';

interface DeliveriesProps {
  event: EventDetail;
  attempts: readonly Attempt[];
  endpointId: string;
  /** Unix ms. */
  now: number;
  onReplay(): void;
  /** A delivery was retried or cancelled. */
  onChanged(): void;
}

interface Row {
  id: string;
  url: string;
  trigger: 'capture' | 'replay';
  /** Goes to a URL that is no destination. */
  isOneOff: boolean;
  /** The delivery; null for an attempt of an earlier round. */
  delivery: Delivery | null;
  attempts: Attempt[];
}

/** One row per delivery, the newest first, with its attempts and the next attempt. */
function rowsOf(deliveries: readonly Delivery[], attempts: readonly Attempt[]): Row[] {
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  const rows = new Map<string, Row>();
  for (const [id, of] of byDelivery) {
    rows.set(id, { id, ...targetOf(of[0] as Attempt), delivery: null, attempts: of });
  }
  for (const delivery of deliveries) {
    const { id } = delivery;
    rows.set(id, { id, ...targetOf(delivery), delivery, attempts: byDelivery.get(id) ?? [] });
  }
  // Ids sort by time.
  return [...rows.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

function targetOf({ destination_id, destination_url, trigger }: Attempt | Delivery) {
  return { url: destination_url, trigger, isOneOff: destination_id === null };
}

export function Deliveries(props: DeliveriesProps) {
  const { event, attempts, endpointId, now, onReplay, onChanged } = props;
  const rows = rowsOf(event.deliveries, attempts);
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
            <span class="mono cut" title={isolated(row.url)}>
              <Foreign text={row.url} />
            </span>
            {row.trigger === 'replay' && <span class="badge">replay</span>}
            {row.isOneOff && <span class="badge">once</span>}
            <span class={`badge is-${row.delivery?.state ?? 'earlier'}`}>
              {row.delivery ? STATE_TEXT[row.delivery.state] : 'earlier'}
            </span>
          </div>
          <ol class="attempts">
            {row.attempts.map((attempt) => (
              <AttemptLine
                key={attempt.id}
                attempt={attempt}
                longest={longest}
                requestLine={`${event.method} ${sentTo(attempt.destination_url, event)}`}
              />
            ))}
          </ol>
          {row.delivery?.state === 'pending' && <p class="next">{waitText(row.delivery, now)}</p>}
          {row.delivery && <DeliveryActions delivery={row.delivery} onChanged={onChanged} />}
        </section>
      ))}
    </div>
  );
}
