import { isUtf8 } from 'node:buffer';
import type { EventHeadAnswer } from '../../api/events/event-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import { eventHead, eventParams } from '../client/event-params.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure, withHint } from '../command-error.ts';
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
  if (Object.keys(changes).length > 0) await capture(context, id, changes);
  else await editBody(context, id);
}

async function editBody(context: Remote, id: string): Promise<void> {
  const { client, out } = context;
  const event = await eventHead(client, id);
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
    await capture(context, id, { body_base64: text.toString('base64') });
    drop();
  } catch (error) {
    // Name the file of the edited text in the error, so that the text isn't lost.
    if (!(error instanceof HookrelayError)) throw error;
    const again = `your text is in ${file}: hookrelay events edit ${id} --body-file ${file}`;
    throw withHint(error, error.hint === undefined ? again : `${error.hint}; ${again}`);
  }
}

function extensionOf({ body_encoding, content_type }: EventHeadAnswer): string {
  if (body_encoding === 'json') return 'json';
  return /\bxml\b/i.test(content_type ?? '') ? 'xml' : 'txt';
}

async function capture({ client, out }: Remote, id: string, changes: EventChanges): Promise<void> {
  // Keep the text, because parsing would round large numbers.
  const text = await client.call('POST /api/endpoints/{id}/events/{eventId}/edit', {
    params: await eventParams(client, id),
    body: changes,
    as: 'text',
  });
  if (out.asJsonText(text)) return;
  const copy = printable((JSON.parse(text) as EventHeadAnswer).id);
  out.line(copy);
  out.note(`The copy is delivered like any event: hookrelay events get ${copy}`);
}
