import type { DeliveryAnswer } from '../../../api/deliveries/delivery-answer.ts';
import { session, tell } from '../../model/page.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { mayCancel, mayRetry } from '../../text/delivery-state.ts';

interface DeliveryActionsProps {
  delivery: Pick<DeliveryAnswer, 'id' | 'state' | 'waits_for'>;
  /** The delivery's description. Distinguishes the buttons of several deliveries. */
  about?: string;
  onChanged(): void;
}

/** Buttons that retry a delivery now or cancel it. */
export function DeliveryActions({ delivery, about, onChanged }: DeliveryActionsProps) {
  if (!mayRetry(delivery) && !mayCancel(delivery)) return null;
  const send = async (action: 'retry' | 'cancel', done: string) => {
    await session.call(`POST /api/deliveries/{deliveryId}/${action}`, {
      params: { deliveryId: delivery.id },
    });
    tell(done);
  };
  const label = (word: string) => about && `${word} ${about}`;
  // The page also reloads after a refusal, because a refusal may mean that the page is out of date.
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
