import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { session, tell } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import type { DestinationParams } from './load-destination.ts';

interface DiscardWaitingProps {
  params: DestinationParams;
  destination: DestinationAnswer;
  onDiscarded(): void;
  onClose(): void;
}

/** Asks for confirmation before cancelling all waiting deliveries of a destination. */
export function DiscardWaiting({ params, destination, onDiscarded, onClose }: DiscardWaitingProps) {
  const { count, at_least } = destination.waiting;
  const amount = `${at_least ? 'at least ' : ''}${counted(count, 'delivery', 'deliveries')}`;
  const discard = async () => {
    const { cancelled } = await session.call(
      'POST /api/endpoints/{id}/destinations/{destinationId}/discard',
      { params },
    );
    tell(`${counted(cancelled, 'delivery', 'deliveries')} cancelled`);
    onDiscarded();
  };
  return (
    <FormDialog
      title="Discard what waits"
      action={`Discard ${amount}`}
      danger
      onSubmit={discard}
      onClose={onClose}
    >
      <p class="mono wrap">
        <Foreign text={destination.url} />
      </p>
      <p>
        This cancels {amount}, and those that arrive meanwhile. The events stay: you can replay
        them.
      </p>
    </FormDialog>
  );
}
