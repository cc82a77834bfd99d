import type { Attempt, Endpoint, EventSummary } from '../../core/model.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { LiveStore } from '../../store/contract/live.ts';
import { type Case, type Neighbour, succeeded } from './case.ts';

/** Attempts of any event that are read before and after this event's last one. */
const WINDOW_ROWS = 150;
/** Neighbours. Each costs one lookup of its event's size. */
const MAX_NEIGHBOURS = 40;

/** The stores that a diagnosis reads. */
export interface CaseStores {
  events: Pick<EventStore, 'find' | 'attempts' | 'deliveries'>;
  destinations: Pick<DestinationStore, 'list'>;
  live: Pick<LiveStore, 'attemptsAfter'>;
}

/** Reads a case with lookups and one bounded range of rows. The cost doesn't grow with the data. */
export async function loadCase(
  event: EventSummary,
  endpoint: Endpoint,
  stores: CaseStores,
  terms: { now: number; limits: Case['limits'] },
): Promise<Case> {
  const [attempts, deliveries, destinations] = await Promise.all([
    stores.events.attempts(event.seq),
    stores.events.deliveries(event.seq, terms.now),
    stores.destinations.list(endpoint.key),
  ]);
  return {
    ...terms,
    event,
    endpoint,
    destinations: destinations.map(({ id, url, sealedSecret, createdAt }) => ({
      id,
      url,
      isSigned: sealedSecret !== null,
      createdAt,
    })),
    deliveries,
    attempts,
    neighbours: await neighboursOf(attempts, endpoint, event, stores),
  };
}

async function neighboursOf(
  own: readonly Attempt[],
  endpoint: Endpoint,
  event: EventSummary,
  { events, live }: CaseStores,
): Promise<Neighbour[]> {
  const last = own.at(-1);
  if (!last || own.every(succeeded)) return [];
  const from = Math.max(0, last.seq - WINDOW_ROWS);
  const found = await live.attemptsAfter({ endpointKeys: [endpoint.key] }, from, 2 * WINDOW_ROWS);
  const others = found.attempts
    .map(({ attempt }) => attempt)
    .filter(({ eventId }) => eventId !== event.id)
    .slice(-MAX_NEIGHBOURS);
  const sizes = new Map<string, number>();
  for (const eventId of new Set(others.map(({ eventId }) => eventId))) {
    const other = await events.find(endpoint.key, eventId);
    if (other) sizes.set(eventId, other.size);
  }
  return others.flatMap((attempt) => {
    const size = sizes.get(attempt.eventId);
    const { destinationId, attemptedAt, durationMs } = attempt;
    const isSuccess = succeeded(attempt);
    return size === undefined ? [] : [{ destinationId, attemptedAt, durationMs, isSuccess, size }];
  });
}
