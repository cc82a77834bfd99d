import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { eventPath } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { RequestFacts, RequestLine } from '../../parts/request-line.tsx';
import { StatusBadge } from '../../parts/status.tsx';
import { deliveriesText } from '../../text/delivery-state.ts';
import type { EventDetail } from '../../text/event-answer.ts';
import { EventProof } from '../proof/event-proof.tsx';

interface EventHeadProps {
  /** The row of the event in the list. It provides the data until the event has loaded. */
  summary: EventSummaryAnswer;
  event: EventDetail | null;
  /** Unix ms. */
  now: number;
}

/** Shows an event's sender, type, method and path, status, proof and time. */
export function EventHead({ summary, event, now }: EventHeadProps) {
  const { provider, event_type, method, path, status } = summary;
  const isNamed = provider !== null || event_type !== null;
  const where = <RequestLine method={method} path={path} query={event?.query ?? ''} />;
  return (
    <div class="summary">
      <h2 class="event-title">
        {provider !== null && (
          <span class="provider-mark" aria-hidden="true">
            {provider.slice(0, 2)}
          </span>
        )}
        {isNamed ? (
          <span>
            {provider !== null && <span class="event-provider">{provider} </span>}
            {event_type !== null && <Foreign text={event_type} />}
          </span>
        ) : (
          <span class="event-target">{where}</span>
        )}
      </h2>
      <StatusBadge status={status} />
      {isNamed && <p class="event-target">{where}</p>}
      <RequestFacts {...summary} />
      {event && event.deliveries.length > 0 && (
        <p class="delivery-sum">{deliveriesText(event.deliveries, now)}</p>
      )}
      {event && <EventProof event={event} />}
      {summary.edited_from !== null && (
        <p>
          edited copy of{' '}
          <a class="mono" href={eventPath(summary.endpoint_id, summary.edited_from)}>
            {summary.edited_from}
          </a>
        </p>
      )}
    </div>
  );
}
