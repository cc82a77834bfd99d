import type { ComponentProps } from 'preact';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { EventSummaryAnswer } from '../../../api/events/event-answer.ts';
import { endpoints, session } from '../../model/page.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { lazy } from '../../parts/lazy.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { EventDetailView } from '../event/event-detail.tsx';

const load = async () => (await import('../event/event-detail.tsx')).EventDetailView;
const Detail = lazy(load);

/** Preloads the code of the event view, so that the first event opens at once. */
export const prepareOpenEvent = (): void => void load().catch(() => {});

interface OpenEventProps extends Omit<ComponentProps<typeof EventDetailView>, 'endpoint' | 'row'> {
  /** Null in the list of all endpoints. */
  endpoint: EndpointAnswer | null;
  /** The event's row; undefined if the list hasn't fetched it. */
  row: EventSummaryAnswer | undefined;
}

/** Shows the open event. Finds its endpoint first. */
export function OpenEvent({ endpoint, row, ...props }: OpenEventProps) {
  const { eventId } = props;
  const isKnown = endpoint !== null || row !== undefined;
  const { value, error } = useLoaded(`${eventId} ${isKnown}`, async (signal) => {
    if (isKnown) return null;
    return await session.call('GET /api/events/{eventId}', { params: { eventId }, signal });
  });
  const endpointId = row?.endpoint_id ?? value?.endpoint_id;
  const own = endpoint ?? endpoints.value?.find(({ id }) => id === endpointId);
  if (own) return <Detail endpoint={own} row={row} {...props} />;
  return (
    <section class="detail" aria-label="Event">
      {error ? <Problem error={error} /> : <p class="waiting">Loading …</p>}
    </section>
  );
}
