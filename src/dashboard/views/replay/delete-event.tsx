import { counted } from '../../../core/text/words.ts';
import { act, session, tell } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Time } from '../../parts/time.tsx';
import type { EventDetail } from '../../text/event-answer.ts';
import { whatText } from '../../text/event-facts.ts';

interface DeleteEventProps {
  event: EventDetail;
  /** The event is gone. */
  onDeleted(): void;
  /** The server refused: the event may be gone already. */
  onFailed(): void;
  onClose(): void;
}

/** Asks before it deletes an event. */
export function DeleteEvent({ event, onDeleted, onFailed, onClose }: DeleteEventProps) {
  const [isBusy, once] = useAction();
  const open = event.deliveries.filter(({ state }) => state === 'pending').length;
  const remove = () =>
    once(async () => {
      const isDeleted = await act(async () => {
        await session.call('DELETE /api/endpoints/{id}/events/{eventId}', {
          params: { id: event.endpoint_id, eventId: event.id },
        });
        return true;
      });
      onClose();
      if (!isDeleted) {
        onFailed();
        return;
      }
      tell('The event is deleted');
      onDeleted();
    });
  return (
    <Dialog title="Delete the event" onClose={onClose}>
      <p>
        <Foreign text={`${event.method} ${whatText(event)}`} /> ·{' '}
        <Time at={event.received_at} exact />
      </p>
      <p>
        Its body, deliveries and attempts go with it, for good.
        {open > 0 && ` ${counted(open, 'open delivery', 'open deliveries')} will be cancelled.`}
      </p>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="destructive" disabled={isBusy} onClick={remove}>
          Delete for good
        </button>
      </div>
    </Dialog>
  );
}
