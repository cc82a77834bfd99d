import type { Endpoint } from '../../api/api-types.ts';
import { Observable, useObservable } from '../model/observable.ts';
import { navigate } from '../model/router.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { saveFile } from '../parts/save-file.ts';
import type { EventDetail } from '../text/event-answer.ts';
import { toHar } from '../text/to-har.ts';

/** The event that is marked for a comparison. */
const compared = new Observable<{ endpointId: string; eventId: string } | null>(null);

interface EventActionsProps {
  endpoint: Endpoint;
  event: EventDetail;
  curl(): string;
  onReplay(): void;
}

export function EventActions({ endpoint, event, curl, onReplay }: EventActionsProps) {
  const other = useObservable(compared);
  const isMarked = other?.eventId === event.id;
  const isOther = !isMarked && other?.endpointId === endpoint.id;
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={onReplay} title="r">
        Replay
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
    </div>
  );
}
