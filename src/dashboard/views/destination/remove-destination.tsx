import { useState } from 'preact/hooks';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import { session, tell } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import type { DestinationParams } from './load-destination.ts';

interface RemoveDestinationProps {
  params: DestinationParams;
  destination: DestinationAnswer;
  onRemoved(): void;
  onClose(): void;
}

/** Asks for confirmation before removing a destination, and what to do with its open deliveries. */
export function RemoveDestination(props: RemoveDestinationProps) {
  const { params, destination, onRemoved, onClose } = props;
  const [cancels, setCancels] = useState(false);
  const remove = async () => {
    await session.call('DELETE /api/endpoints/{id}/destinations/{destinationId}', {
      params,
      query: { pending: cancels ? 'cancel' : '' },
    });
    tell('The destination is removed');
    onRemoved();
  };
  return (
    <FormDialog
      title="Remove the destination"
      action="Remove"
      danger
      onSubmit={remove}
      onClose={onClose}
    >
      <p class="mono wrap">
        <Foreign text={destination.url} />
      </p>
      <p>No new events go to it. What it still waits for</p>
      <label class="choice">
        <input type="radio" name="pending" checked={!cancels} onChange={() => setCancels(false)} />
        is delivered, with its retries
      </label>
      <label class="choice">
        <input type="radio" name="pending" checked={cancels} onChange={() => setCancels(true)} />
        is cancelled
      </label>
    </FormDialog>
  );
}
