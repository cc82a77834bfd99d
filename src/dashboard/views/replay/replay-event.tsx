import { useState } from 'preact/hooks';
import type { Replayed } from '../../../api/answers/replay.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { destinationsOf, session, tell } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { Problem } from '../../parts/problem.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { bodyOf, doneText, isOpen, type ReplayTarget } from './replay-target.ts';
import { TargetFields } from './target-fields.tsx';

interface ReplayEventProps {
  endpointId: string;
  eventId: string;
  onReplayed(): void;
  onClose(): void;
}

/** Replays an event to some destinations, or once to a URL. */
export function ReplayEvent({ endpointId, eventId, onReplayed, onClose }: ReplayEventProps) {
  const { value: destinations } = useLoaded(endpointId, () => destinationsOf(endpointId));
  const [target, setTarget] = useState<ReplayTarget>({ to: 'destinations', ids: [] });
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const replay = (event: Event) => {
    event.preventDefault();
    return once(async () => {
      try {
        const path = `/api/endpoints/${endpointId}/events/${eventId}/replay`;
        const { deliveries } = await session.call<Replayed>('POST', path, { body: bodyOf(target) });
        tell(doneText(target, deliveries));
        onReplayed();
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <Dialog title="Replay the event" onClose={onClose}>
      <form class="stacked" onSubmit={replay}>
        <p class="mono wrap">{eventId}</p>
        <TargetFields
          destinations={destinations}
          target={target}
          error={error}
          withUrl
          onChange={(to) => {
            setTarget(to);
            setError(null);
          }}
        />
        {error && <Problem error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy || isOpen(target)}>
            Replay
          </button>
        </div>
      </form>
    </Dialog>
  );
}
