import { useState } from 'preact/hooks';
import { destinationsOf } from '../../model/page.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { replayEvent } from '../event/use-replay.ts';
import { isOpen, type ReplayChoice } from './replay-choice.ts';
import { TargetFields } from './target-fields.tsx';

interface ReplayEventProps {
  endpointId: string;
  eventId: string;
  /** The initial choice. */
  to: 'destinations' | 'url';
  onReplayed(): void;
  onClose(): void;
}

export function ReplayEvent({ endpointId, eventId, to, onReplayed, onClose }: ReplayEventProps) {
  const { value: destinations } = useLoaded(endpointId, () => destinationsOf(endpointId));
  const [target, setTarget] = useState<ReplayChoice>(
    to === 'url' ? { to, url: '' } : { to, ids: [] },
  );
  return (
    <FormDialog
      title="Replay the event"
      action="Replay"
      disabled={isOpen(target)}
      fields={['url', 'destination_ids']}
      onSubmit={async () => {
        await replayEvent({ endpointId, eventId }, target, onReplayed);
        onReplayed();
      }}
      onClose={onClose}
    >
      {(error, setError) => (
        <>
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
        </>
      )}
    </FormDialog>
  );
}
