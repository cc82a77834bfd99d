import type { Destination } from '../../../api/answers/destination.ts';
import { act, session, tell } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { plural } from '../../text/format.ts';

interface DiscardWaitingProps {
  path: string;
  destination: Destination;
  onDiscarded(): void;
  onClose(): void;
}

/** Asks before it cancels everything that waits for a destination. */
export function DiscardWaiting({ path, destination, onDiscarded, onClose }: DiscardWaitingProps) {
  const [isBusy, once] = useAction();
  const { count, at_least } = destination.waiting;
  const amount = `${at_least ? 'at least ' : ''}${plural(count, 'delivery', 'deliveries')}`;
  const discard = () =>
    once(async () => {
      await act(async () => {
        const { cancelled } = await session.call<{ cancelled: number }>('POST', `${path}/discard`);
        tell(`${plural(cancelled, 'delivery', 'deliveries')} cancelled`);
        onDiscarded();
      });
      onClose();
    });
  return (
    <Dialog title="Discard what waits" onClose={onClose}>
      <p class="mono wrap">{destination.url}</p>
      <p>
        This cancels {amount}, and those that come meanwhile. The events stay: you can replay them.
      </p>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="destructive" disabled={isBusy} onClick={discard}>
          Discard {amount}
        </button>
      </div>
    </Dialog>
  );
}
