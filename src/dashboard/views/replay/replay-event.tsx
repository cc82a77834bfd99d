import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { destinationsOf } from '../../model/page.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { isAtFields } from '../../text/field-faults.ts';
import { replayEvent } from '../event/use-replay.ts';
import { isOpen, type ReplayChoice } from './replay-choice.ts';
import { TargetFields } from './target-fields.tsx';

interface ReplayEventProps {
  endpointId: string;
  eventId: string;
  /** What is chosen at first. */
  to: 'destinations' | 'url';
  onReplayed(): void;
  onClose(): void;
}

/** Replays an event to some destinations, or once to a URL. */
export function ReplayEvent({ endpointId, eventId, to, onReplayed, onClose }: ReplayEventProps) {
  const { value: destinations } = useLoaded(endpointId, () => destinationsOf(endpointId));
  const [target, setTarget] = useState<ReplayChoice>(
    to === 'url' ? { to, url: '' } : { to, ids: [] },
  );
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, once] = useAction();
  const replay = (event: Event) => {
    event.preventDefault();
    return once(async () => {
      try {
        await replayEvent({ endpointId, eventId }, target, onReplayed);
        onReplayed();
        onClose();
      } catch (failed) {
        setError(asApiError(failed));
      }
    });
  };
  return (
    <Dialog title="Replay the event" onClose={onClose}>
      <form class="stacked" onSubmit={replay} noValidate>
        <p class="mono wrap">{eventId}</p>
        <TargetFields
          destinations={destinations}
          target={target}
          error={error}
          withUrl
          onChange={(next) => {
            setTarget(next);
            setError(null);
          }}
        />
        {error && !isAtFields(error, ['url', 'destination_ids']) && <Problem error={error} />}
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
