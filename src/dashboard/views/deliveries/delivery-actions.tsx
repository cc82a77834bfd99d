import type { Delivery } from '../../../api/answers/delivery.ts';
import { act, session, tell } from '../../model/page.ts';
import { useAction } from '../../parts/form/use-action.ts';
import { mayCancel, mayRetry } from '../../text/delivery-state.ts';

interface DeliveryActionsProps {
  delivery: Pick<Delivery, 'id' | 'state' | 'waits_for'>;
  /** What the buttons are about, where several deliveries have them. */
  about?: string;
  onChanged(): void;
}

/** Retries a delivery now, or cancels it. */
export function DeliveryActions({ delivery, about, onChanged }: DeliveryActionsProps) {
  const { id } = delivery;
  const [isBusy, once] = useAction();
  if (!mayRetry(delivery) && !mayCancel(delivery)) return null;
  const send = (action: 'retry' | 'cancel', done: string) =>
    once(async () => {
      await act(async () => {
        await session.call('POST', `/api/deliveries/${id}/${action}`);
        tell(done);
      });
      // A refusal means that the delivery isn't what the page shows.
      onChanged();
    });
  const label = (word: string) => about && `${word} ${about}`;
  return (
    <div class="actions">
      {mayRetry(delivery) && (
        <button
          type="button"
          aria-label={label('Retry now')}
          disabled={isBusy}
          onClick={() => send('retry', 'Retried')}
        >
          Retry now
        </button>
      )}
      {mayCancel(delivery) && (
        <button
          type="button"
          aria-label={label('Cancel')}
          disabled={isBusy}
          onClick={() => send('cancel', 'The delivery is cancelled')}
        >
          Cancel
        </button>
      )}
    </div>
  );
}
