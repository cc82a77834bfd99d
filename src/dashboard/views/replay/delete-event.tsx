import { counted } from '../../../core/text/words.ts';
import { act, session, tell } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import type { EventDetail } from '../../text/event-answer.ts';
import { whatText } from '../../text/event-facts.ts';

interface DeleteEventProps {
  event: EventDetail;
  onDeleted(): void;
  /** Called after a refusal, because the event may already be deleted. */
  onFailed(): void;
  onClose(): void;
}

export function DeleteEvent({ event, onDeleted, onFailed, onClose }: DeleteEventProps) {
  const open = event.deliveries.filter(({ state }) => state === 'pending').length;
  const remove = async () => {
    const isDeleted = await act(async () => {
      await session.call('DELETE /api/endpoints/{id}/events/{eventId}', {
        params: { id: event.endpoint_id, eventId: event.id },
      });
      return true;
    });
    if (!isDeleted) return onFailed();
    tell('The event is deleted');
    onDeleted();
  };
  return (
    <FormDialog
      title="Delete the event"
      action="Delete for good"
      danger
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        <Foreign text={`${event.method} ${whatText(event)}`} /> ·{' '}
        <Time at={event.received_at} exact />
      </p>
      <p>
        Its body, deliveries and attempts go with it, for good.
        {open > 0 && ` ${counted(open, 'open delivery', 'open deliveries')} will be cancelled.`}
      </p>
    </FormDialog>
  );
}
