import { counted } from '../../core/text/words.ts';
import { findEndpoint } from '../client/endpoint-ref.ts';
import { eventParams } from '../client/event-params.ts';
import { namedDestinations } from '../client/named-destinations.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { defined } from '../defined.ts';
import { eachEvent } from '../events/each-event.ts';
import { printable } from '../terminal/output.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { noDestinationHint } from './no-destination-hint.ts';

/** Where the server delivers the events: to all destinations if both members are absent. */
export interface ReplayDestinations {
  /** Names, URLs or ids. Only these destinations get the events. */
  destination?: string[];
  /** A URL that isn't one of the destinations. */
  toUrl?: string;
}

export async function replayById(
  context: Remote,
  events: readonly string[],
  target: ReplayDestinations,
): Promise<void> {
  const nowhere: NowhereEvent[] = [];
  const missing = await eachEvent(context, events, async (event) => {
    const { deliveries, endpoint } = await replayOne(context, event, target);
    if (deliveries === 0) nowhere.push({ event, endpoint });
  });
  const last = nowhere.at(-1);
  if (last) await noteWaysOn(context, last);
  if (missing > 0) throw failure(`${counted(missing, 'event')} could not be replayed`);
}

/** A replayed event that got no delivery. */
interface NowhereEvent {
  event: string;
  endpoint: string;
}

async function replayOne(
  { client, out }: Remote,
  event: string,
  { destination, toUrl }: ReplayDestinations,
): Promise<{ deliveries: number; endpoint: string }> {
  const params = await eventParams(client, event);
  const ids = destination && (await namedDestinations(client, params.id, destination));
  const body = defined({ destination_ids: ids, url: toUrl });
  const replayed = await client.call('POST /api/endpoints/{id}/events/{eventId}/replay', {
    params,
    body,
  });
  const { deliveries } = replayed;
  out.item(replayed, `${printable(replayed.event_id)}: ${counted(deliveries, 'delivery')}`);
  if (deliveries === 0) {
    out.note(`${event} goes nowhere: its endpoint has no destination, or filters dropped it.`);
  }
  return { deliveries, endpoint: params.id };
}

async function noteWaysOn(
  { client, out }: Remote,
  { event, endpoint }: NowhereEvent,
): Promise<void> {
  const { name } = await findEndpoint(client, endpoint);
  out.note(noDestinationHint(shellWord(printable(name)), event));
}
