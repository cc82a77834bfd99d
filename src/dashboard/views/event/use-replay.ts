import type { EventHeadAnswer } from '../../../api/events/event-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { act, loadEventHead, session, tell, tellWithUndo } from '../../model/page.ts';
import { useAction } from '../../parts/form/use-action.ts';
import { bodyOf, doneText, type ReplayChoice } from '../replay/replay-choice.ts';

/** The ids that identify an event. */
export interface EventIds {
  endpointId: string;
  eventId: string;
}

/**
 * Replays an event at once, and offers to undo the replay. Throws the server's error if the server
 * refuses.
 *
 * @param onUndone called after an undo, because the event has changed again
 */
export async function replayEvent(
  of: EventIds,
  target: ReplayChoice,
  onUndone: () => void,
): Promise<void> {
  const { deliveries } = await session.call('POST /api/endpoints/{id}/events/{eventId}/replay', {
    params: { id: of.endpointId, eventId: of.eventId },
    body: bodyOf(target),
  });
  const done = doneText(target, deliveries);
  if (deliveries === 0) {
    tell(done);
    return;
  }
  // The answer contains only the number of deliveries. So take the ids of the event's newest
  // replays.
  const event = await loadEventHead(of.endpointId, of.eventId, AbortSignal.timeout(30_000)).catch(
    () => null,
  );
  if (event) tellWithUndo(done, () => takeBack(event, deliveries).then(onUndone));
  else tell(done);
}

/** Cancels the open deliveries of a replay, and shows how many were already sent. */
async function takeBack(
  { deliveries }: Pick<EventHeadAnswer, 'deliveries'>,
  count: number,
): Promise<void> {
  const made = deliveries
    .filter(({ trigger }) => trigger === 'replay')
    // Ids sort by time.
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, count);
  const answers = await Promise.allSettled(
    made.map(({ id }) =>
      session.call('POST /api/deliveries/{deliveryId}/cancel', { params: { deliveryId: id } }),
    ),
  );
  const cancelled = answers.filter(({ status }) => status === 'fulfilled').length;
  tell(undoneText(cancelled, made.length - cancelled));
}

function undoneText(cancelled: number, sent: number): string {
  const taken = `${counted(cancelled, 'delivery is', 'deliveries are')} cancelled`;
  if (sent === 0) return taken;
  const rest = `${counted(sent, 'delivery was', 'deliveries were')} already sent`;
  return cancelled === 0 ? `Too late: ${rest}` : `${taken}, ${rest}`;
}

/** Replays an event to every destination. A call during a replay does nothing. */
export function useReplay(of: EventIds, onDone: () => void): [isBusy: boolean, replay: () => void] {
  const [isBusy, once] = useAction();
  const replay = () =>
    void once(async () => {
      await act(() => replayEvent(of, { to: 'all' }, onDone));
      // Reload, because a refusal may mean that the event was deleted.
      onDone();
    });
  return [isBusy, replay];
}
