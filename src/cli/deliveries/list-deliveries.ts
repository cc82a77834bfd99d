import { Option } from '@commander-js/extra-typings';
import type { ListedDeliveryAnswer } from '../../api/deliveries/delivery-answer.ts';
import type { DestinationAnswer } from '../../api/destinations/destination-answer.ts';
import { SHOWN_STATES } from '../../core/model.ts';
import { destinationLabel, destinationNamed, destinationsOf } from '../client/destination-ref.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { pageFlags, showPage } from '../client/page-flags.ts';
import type { Remote } from '../client/remote-command.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { waitText } from '../events/delivery-wait-text.ts';
import type { Column } from '../terminal/output.ts';
import { statusColumn } from '../terminal/value-text.ts';

const MAX_LIMIT = 1000;

const addPageFlags = pageFlags('deliveries', MAX_LIMIT);

export const addDeliveryListFlags = commandPart((command) =>
  addPageFlags(
    command
      .addOption(
        new Option(
          '--state <state>',
          'only deliveries in this state; without this flag, filtered ones are hidden',
        ).choices(SHOWN_STATES),
      )
      .option(
        '--destination <destination>',
        'only deliveries to this destination: its id, URL or name',
      ),
  ),
);

export async function listDeliveries(
  { client, out }: Remote,
  reference: string,
  { state, destination, limit, page }: FlagsOf<typeof addDeliveryListFlags>,
): Promise<void> {
  const endpoint = await findEndpoint(client, reference);
  const needsDestinations = destination !== undefined || !out.json;
  const destinations = needsDestinations ? await destinationsOf(client, endpoint.id) : [];
  const wanted = destination === undefined ? undefined : idOfDestination(destinations, destination);
  const found = await client.call('GET /api/endpoints/{id}/deliveries', {
    params: { id: endpoint.id },
    query: { state, destination: wanted, limit, page },
  });
  const isFiltered = state !== undefined || wanted !== undefined;
  const empty = isFiltered
    ? `No delivery of ${endpoint.name} matches.`
    : `${endpoint.name} has no delivery yet. Each event makes one for each destination.`;
  showPage(out, 'delivery', found, deliveryColumns(destinations), empty);
}

/** Accepts any id, because a removed destination has deliveries too. */
function idOfDestination(destinations: DestinationAnswer[], named: string): string {
  if (/^dst_[A-Za-z0-9]{4,64}$/.test(named)) return named;
  return destinationNamed(destinations, named).id;
}

export function deliveryColumns(
  destinations: readonly DestinationAnswer[],
): Column<ListedDeliveryAnswer>[] {
  const labels = new Map(destinations.map((one) => [one.id, destinationLabel(one)]));
  return [
    { title: 'id', value: ({ id }) => id },
    { title: 'event', value: ({ event_id }) => event_id, optional: true },
    {
      title: 'destination',
      value: ({ destination_id: id, destination_url: url }) =>
        id === null ? url : (labels.get(id) ?? id),
      elastic: true,
    },
    statusColumn('state', ({ state }) => state),
    {
      title: 'attempts',
      value: ({ attempts }) => String(attempts),
      optional: true,
      align: 'right',
    },
    { title: 'waits for', value: waitText },
    { title: 'error', value: ({ error }) => error?.code ?? '', elastic: true },
  ];
}
