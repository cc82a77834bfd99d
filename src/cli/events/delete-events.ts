import { counted } from '../../core/text/words.ts';
import { eventParams } from '../client/event-params.ts';
import type { Remote } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { confirm, requirePrompt } from '../terminal/prompt.ts';
import { eachEvent } from './each-event.ts';

/** Skips missing events. */
export async function deleteEvents(
  context: Remote,
  events: string[],
  { yes }: { yes?: boolean },
): Promise<void> {
  const { client, out } = context;
  if (!yes) requirePrompt('add --yes to delete without a question');
  const what = counted(new Set(events).size, 'event');
  if (!yes && !(await confirm(`Delete ${what} permanently?`))) throw failure('nothing is deleted');
  const missing = await eachEvent(context, events, async (id) => {
    const params = await eventParams(client, id);
    await client.call('DELETE /api/endpoints/{id}/events/{eventId}', { params });
    out.item({ id, deleted: true }, `${id}: deleted`);
  });
  if (missing > 0) throw failure(`${counted(missing, 'event')} could not be deleted`);
}
