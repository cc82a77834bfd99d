import { useEffect, useState } from 'preact/hooks';
import type { Attempt, Delivery } from '../../../api/api-types.ts';
import type { EventDetail } from '../../text/event-answer.ts';
import { durationText, fullTimeText, plural, relativeText } from '../../text/format.ts';

const STATE_TEXT: Record<Delivery['state'], string> = {
  pending: 'pending',
  succeeded: 'succeeded',
  dead: 'gave up',
  cancelled: 'cancelled',
  filtered: 'filtered',
};

interface DeliveriesProps {
  event: EventDetail;
  attempts: readonly Attempt[];
  endpointId: string;
  onReplay(): void;
}

interface Row {
  id: string;
  url: string;
  trigger: 'capture' | 'replay';
  /** The delivery; null for an attempt of an earlier round. */
  delivery: Delivery | null;
  attempts: Attempt[];
}

/** One row per delivery, the newest first, with its attempts and the next attempt. */
function rowsOf(deliveries: readonly Delivery[], attempts: readonly Attempt[]): Row[] {
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  const rows = new Map<string, Row>();
  for (const [id, of] of byDelivery) {
    const { destination_url: url, trigger } = of[0] as Attempt;
    rows.set(id, { id, url, trigger, delivery: null, attempts: of });
  }
  for (const delivery of deliveries) {
    const { id, destination_url: url, trigger } = delivery;
    rows.set(id, { id, url, trigger, delivery, attempts: byDelivery.get(id) ?? [] });
  }
  // Ids sort by time.
  return [...rows.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

export function Deliveries({ event, attempts, endpointId, onReplay }: DeliveriesProps) {
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
            <span class="mono cut" title={row.url}>
              {row.url}
            </span>
            {row.trigger === 'replay' && <span class="badge">replay</span>}
            <span class={`badge is-${row.delivery?.state ?? 'earlier'}`}>
              {row.delivery ? STATE_TEXT[row.delivery.state] : 'earlier'}
            </span>
          </div>
          <ol class="attempts">
            {row.attempts.map((attempt) => (
              <AttemptLine key={attempt.id} attempt={attempt} longest={longest} />
            ))}
          </ol>
          <Next delivery={row.delivery} />
        </section>
      ))}
    </div>
  );
}

function AttemptLine({ attempt, longest }: { attempt: Attempt; longest: number }) {
  const { response_code: code, error, response_body, duration_ms } = attempt;
  const isOk = code !== null && code >= 200 && code < 300;
  return (
    <li class={isOk ? 'is-ok' : 'is-bad'}>
      <div class="attempt-line">
        <span class="attempt-number">#{attempt.attempt}</span>
        <span class="attempt-code">{code ?? error?.code ?? 'no answer'}</span>
        <time dateTime={attempt.attempted_at}>{fullTimeText(attempt.attempted_at)}</time>
        <span class="attempt-bar" aria-hidden="true">
          <span style={{ width: `${Math.max(1, (100 * duration_ms) / longest)}%` }} />
        </span>
        <span class="attempt-time">{durationText(duration_ms)}</span>
      </div>
      {error && <p class="attempt-error">{error.message}</p>}
      {response_body !== null && response_body !== '' && (
        <details>
          <summary>
            Response{attempt.response_truncated && ', cut'} ·{' '}
            {plural(response_body.length, 'character')}
          </summary>
          <pre class="raw">{response_body}</pre>
        </details>
      )}
    </li>
  );
}

function Next({ delivery }: { delivery: Delivery | null }) {
  const [now, setNow] = useState(Date.now());
  const isOpen = delivery?.state === 'pending';
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOpen]);
  if (!isOpen) return null;
  const { next_attempt_at: next, attempts } = delivery;
  if (next === null || Date.parse(next) <= now) return <p class="next">Being attempted now …</p>;
  return (
    <p class="next">
      Attempt #{attempts + 1} {relativeText(next, now)}, at {fullTimeText(next)}
    </p>
  );
}
