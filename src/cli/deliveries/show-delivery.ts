import type { ListedDeliveryAnswer } from '../../api/deliveries/delivery-answer.ts';
import type { DestinationAnswer } from '../../api/destinations/destination-answer.ts';
import { destinationLabel, destinationsOf } from '../client/destination-ref.ts';
import { eventParams } from '../client/event-params.ts';
import type { Remote } from '../client/remote-command.ts';
import { waitText } from '../events/delivery-wait-text.ts';
import { unjudgedText } from '../events/event-check-text.ts';
import { attemptColumns } from '../events/event-tables.ts';
import type { Pair } from '../terminal/output.ts';

/** The API lists attempts by event. */
export async function showDelivery({ client, out }: Remote, id: string): Promise<void> {
  const delivery = await client.call('GET /api/deliveries/{deliveryId}', {
    params: { deliveryId: id },
  });
  const params = await eventParams(client, delivery.event_id);
  const all = await client.call('GET /api/endpoints/{id}/events/{eventId}/deliveries', { params });
  const attempts = all.filter(({ delivery_id }) => delivery_id === id);
  if (out.asJson({ ...delivery, attempts_made: attempts })) return;
  const destinations = await destinationsOf(client, params.id);
  const destination = destinations.find((one) => one.id === delivery.destination_id);
  out.pairs(deliveryPairs(delivery, destination ?? null));
  out.line('');
  const columns = attemptColumns.filter(({ title }) => title !== 'destination');
  out.rows(attempts, columns, 'No attempt was made yet.');
}

/** @param destination null if it was removed, or if the delivery goes to a one-off URL */
export function deliveryPairs(
  delivery: ListedDeliveryAnswer,
  destination: DestinationAnswer | null,
): Pair[] {
  const { id, event_id, state, attempts, error, created_at, unjudged } = delivery;
  return [
    ['id', id],
    ['event', event_id],
    ['destination', destinationText(delivery, destination)],
    ['state', state],
    ['attempts', String(attempts)],
    ['waits for', state === 'pending' && waitText(delivery)],
    ['unjudged', unjudged && unjudgedText(unjudged)],
    ['error', error && `${error.code}: ${error.message}`],
    ['created', created_at],
  ];
}

function destinationText(
  { destination_id: id, destination_url: url }: ListedDeliveryAnswer,
  destination: DestinationAnswer | null,
): string {
  if (id === null) return `${url}, once`;
  return destination ? `${destinationLabel(destination)} (${id})` : `${id}, removed`;
}
