import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Endpoint } from '../../api/answers/endpoint.ts';
import { navigate } from '../model/router.ts';
import { useShortcuts } from '../model/shortcuts.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { saveFile } from '../parts/save-file.ts';
import type { EventDetail } from '../text/event-answer.ts';
import { toHar } from '../text/to-har.ts';
import { DeleteEvent } from './replay/delete-event.tsx';
import { EditEvent } from './replay/edit-event.tsx';
import { ReplayEvent } from './replay/replay-event.tsx';

/** The event that is marked for a comparison. */
const compared = signal<{ endpointId: string; eventId: string } | null>(null);

interface EventActionsProps {
  endpoint: Endpoint;
  event: EventDetail;
  curl(): string;
  /** Replays to every destination. */
  onReplay(): void;
  /** The event has changed. */
  onChanged(): void;
  onDeleted(): void;
}

export function EventActions(props: EventActionsProps) {
  const { endpoint, event, curl, onReplay, onChanged, onDeleted } = props;
  const [dialog, setDialog] = useState<'replay' | 'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  useShortcuts([
    { keys: 'R', title: 'Replay to …', group: 'Event', run: () => setDialog('replay') },
    { keys: 'e', title: 'Edit and resend', group: 'Event', run: () => setDialog('edit') },
  ]);
  const other = compared.value;
  const isMarked = other?.eventId === event.id;
  const isOther = !isMarked && other?.endpointId === endpoint.id;
  return (
    <div class="actions">
      <span class="joined">
        <button type="button" class="primary" onClick={onReplay} title="r">
          Replay
        </button>
        <button
          type="button"
          class="primary"
          aria-label="Replay to …"
          title="Replay to … (R)"
          onClick={() => setDialog('replay')}
        >
          to …
        </button>
      </span>
      <button type="button" title="e" onClick={() => setDialog('edit')}>
        Edit and resend …
      </button>
      <CopyButton text={curl} label="Copy as curl" />
      <CopyButton text={() => `${location.origin}/events/${event.id}`} label="Copy link" />
      <button type="button" onClick={() => saveFile(`${event.id}.bin`, event.bytes)}>
        Raw ↓
      </button>
      <button
        type="button"
        onClick={() => saveFile(`${event.id}.har`, toHar(event, endpoint.capture_url))}
      >
        HAR ↓
      </button>
      {isOther ? (
        <button
          type="button"
          onClick={() => navigate(`/endpoints/${endpoint.id}/compare/${other.eventId}/${event.id}`)}
        >
          Compare with the marked
        </button>
      ) : (
        <button
          type="button"
          aria-pressed={isMarked}
          onClick={() => {
            compared.value = isMarked ? null : { endpointId: endpoint.id, eventId: event.id };
          }}
        >
          {isMarked ? 'Marked: open another' : 'Compare …'}
        </button>
      )}
      <button type="button" class="destructive" onClick={() => setDialog('delete')}>
        Delete …
      </button>
      {dialog === 'replay' && (
        <ReplayEvent
          endpointId={endpoint.id}
          eventId={event.id}
          onReplayed={onChanged}
          onClose={close}
        />
      )}
      {dialog === 'edit' && <EditEvent event={event} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteEvent event={event} onDeleted={onDeleted} onFailed={onChanged} onClose={close} />
      )}
    </div>
  );
}
