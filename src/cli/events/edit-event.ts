import { isUtf8 } from 'node:buffer';
import type { DestinationAnswer } from '../../api/destinations/destination-answer.ts';
import type { CopyWarning, EventHeadAnswer } from '../../api/events/event-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import { opt } from '../../core/text/words.ts';
import { destinationLabel, destinationsOf } from '../client/destination-ref.ts';
import { eventHead } from '../client/event-params.ts';
import { namedDestinations } from '../client/named-destinations.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure, withHint } from '../command-error.ts';
import { showWarnings } from '../show-warnings.ts';
import { printable } from '../terminal/output.ts';
import { editText } from '../terminal/text-editor.ts';
import {
  chosenChanges,
  type EventChanges,
  type EventEditFlags,
  requireEditable,
} from './event-edit-flags.ts';

/** Captures an edited copy of an event. Without flags, opens an editor with the event's body. */
export async function editEvent(context: Remote, id: string, flags: EventEditFlags): Promise<void> {
  const changes = await chosenChanges(id, flags);
  const event = await eventHead(context.client, id);
  // Find the destinations before an editor opens.
  const ids = flags.to && (await namedDestinations(context.client, event.endpoint_id, flags.to));
  const to = ids ? { destination_ids: ids } : {};
  if (Object.keys(changes).length > 0) await capture(context, event, { ...changes, ...to });
  else await editBody(context, event, to);
}

async function editBody(context: Remote, event: EventHeadAnswer, to: EventChanges): Promise<void> {
  const { client, out } = context;
  const { id } = event;
  requireEditable(id, event.size);
  const body = await client.call('GET /api/endpoints/{id}/events/{eventId}/raw', {
    params: { id: event.endpoint_id, eventId: id },
    as: 'bytes',
  });
  if (!isUtf8(body)) {
    throw failure(
      'the body is not text: no editor is opened',
      `hookrelay events raw ${id} >FILE, then hookrelay events edit ${id} --body-file FILE`,
    );
  }
  const { text, file, drop } = await editText(body, extensionOf(event));
  if (text === null) {
    drop();
    out.note('Nothing changed: nothing is sent.');
    return;
  }
  requireEditable(id, text.length, file);
  try {
    await capture(context, event, { body_base64: text.toString('base64'), ...to });
    drop();
  } catch (error) {
    // Name the file of the edited text in the error, so that the text isn't lost.
    if (!(error instanceof HookrelayError)) throw error;
    const flags = (to.destination_ids ?? []).map((one) => ` --to ${one}`).join('');
    const again = `your text is in ${file}: hookrelay events edit ${id} --body-file ${file}${flags}`;
    throw withHint(error, error.hint === undefined ? again : `${error.hint}; ${again}`);
  }
}

function extensionOf({ body_encoding, content_type }: EventHeadAnswer): string {
  if (body_encoding === 'json') return 'json';
  return /\bxml\b/i.test(content_type ?? '') ? 'xml' : 'txt';
}

async function capture(
  { client, out }: Remote,
  { id: eventId, endpoint_id: id }: EventHeadAnswer,
  changes: EventChanges,
): Promise<void> {
  // Keep the text, because parsing would round large numbers.
  const text = await client.call('POST /api/endpoints/{id}/events/{eventId}/edit', {
    params: { id, eventId },
    body: changes,
    as: 'text',
  });
  const copy = JSON.parse(text) as EditedCopy;
  if (!out.asJsonText(text)) {
    out.line(printable(copy.id));
    const { deliveries } = copy;
    const destinations = deliveries.length > 0 ? await destinationsOf(client, id) : [];
    out.note(`${goesTo(deliveries, destinations)}: hookrelay events get ${printable(copy.id)}`);
  }
  showWarnings(out, copy.warnings);
}

type EditedCopy = Pick<EventHeadAnswer, 'id' | 'deliveries'> & { warnings?: CopyWarning[] };

function goesTo(
  deliveries: EventHeadAnswer['deliveries'],
  destinations: readonly DestinationAnswer[],
): string {
  const labels = new Map(destinations.map((one) => [one.id, destinationLabel(one)]));
  const named = (of: EventHeadAnswer['deliveries']) =>
    of
      .map((one) => printable(labels.get(one.destination_id ?? '') ?? one.destination_url))
      .join(', ');
  const dropped = deliveries.filter(({ state }) => state === 'filtered');
  const sent = deliveries.filter(({ state }) => state !== 'filtered');
  const to = sent.length > 0 ? `to ${named(sent)}` : 'nowhere';
  return `The copy goes ${to}${opt` (filters drop it at ${named(dropped) || null})`}`;
}
