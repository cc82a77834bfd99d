import type { DeliveryAnswer } from '../../../api/deliveries/delivery-answer.ts';
import { session, tell } from '../../model/page.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { mayCancel, mayRetry } from '../../text/delivery-state.ts';

interface DeliveryActionsProps {
  delivery: Pick<DeliveryAnswer, 'id' | 'state' | 'waits_for'>;
  /** What the buttons are for, if several deliveries have such buttons. */
  about?: string;
  onChanged(): void;
}

/** Retries a delivery now, or cancels it. */
export function DeliveryActions({ delivery, about, onChanged }: DeliveryActionsProps) {
  if (!mayRetry(delivery) && !mayCancel(delivery)) return null;
  const send = async (action: 'retry' | 'cancel', done: string) => {
    await session.call(`POST /api/deliveries/{deliveryId}/${action}`, {
      params: { deliveryId: delivery.id },
    });
    tell(done);
  };
  const label = (word: string) => about && `${word} ${about}`;
  // A refusal may mean that the page is out of date, so the page reloads after a refusal too.
  return (
    <div class="actions">
      {mayRetry(delivery) && (
        <ActionButton
          label={label('Retry now')}
          run={() => send('retry', 'Retried')}
          onEnd={onChanged}
        >
          Retry now
        </ActionButton>
      )}
      {mayCancel(delivery) && (
        <ActionButton
          label={label('Cancel')}
          run={() => send('cancel', 'The delivery is cancelled')}
          onEnd={onChanged}
        >
          Cancel
        </ActionButton>
      )}
    </div>
  );
}
