import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { tell } from '../../model/page.ts';
import { navigate } from '../../model/router.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import { copyText } from '../../parts/copy-button.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { saveFile } from '../../parts/save-file.ts';
import type { EventDetail } from '../../text/event-answer.ts';
import { requestUrl } from '../../text/request-url.ts';

const ReplayEvent = lazy(async () => (await import('../replay/replay-event.tsx')).ReplayEvent);
const EditEvent = lazy(async () => (await import('../replay/edit-event.tsx')).EditEvent);
const DeleteEvent = lazy(async () => (await import('../replay/delete-event.tsx')).DeleteEvent);

/** The event that the user selected for a comparison. */
const compared = signal<{ endpointId: string; eventId: string } | null>(null);

interface EventActionsProps {
  endpoint: EndpointAnswer;
  eventId: string;
  /** Null while the event loads. */
  event: EventDetail | null;
  isReplaying: boolean;
  /** Replays the event to every destination. */
  onReplay(): void;
  onChanged(): void;
  onDeleted(): void;
}

/**
 * Copies a command that sends the event again. A large body is saved as a file, which the command
 * reads.
 */
async function copyCurl({ capture_url }: EndpointAnswer, event: EventDetail): Promise<void> {
  const { isLargeForCurl, toCurl } = await import('./to-curl.ts');
  const bodyFile = isLargeForCurl(event.bytes) ? `${event.id}.bin` : null;
  await copyText(
    toCurl({
      url: requestUrl(capture_url, event),
      method: event.method,
      rawHeaders: event.raw_headers,
      bytes: event.bytes,
      text: event.text,
      bodyFile,
    }),
  );
  if (bodyFile !== null) saveFile(bodyFile, event.bytes);
  tell(
    bodyFile === null
      ? 'The curl command is copied'
      : `The curl command is copied. It sends ${bodyFile}, which is downloaded`,
  );
}

async function saveHar({ capture_url }: EndpointAnswer, event: EventDetail): Promise<void> {
  const { toHar } = await import('./to-har.ts');
  saveFile(`${event.id}.har`, toHar(event, capture_url));
}

const copied = (copying: Promise<void>) =>
  void copying.catch((error: Error) => tell(error.message));

export function EventActions(props: EventActionsProps) {
  const { endpoint, eventId, event, isReplaying, onReplay, onChanged, onDeleted } = props;
  const [dialog, setDialog] = useState<'destinations' | 'url' | 'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const curl = () => event && copied(copyCurl(endpoint, event));
  useShortcuts([
    { keys: 'r', title: 'Replay the event', group: 'Event', run: onReplay },
    { keys: 'R', title: 'Replay to …', group: 'Event', run: () => setDialog('destinations') },
    { keys: 'e', title: 'Edit and resend', group: 'Event', run: () => setDialog('edit') },
    { keys: 'c', title: 'Copy the event as curl', group: 'Event', run: () => void curl() },
  ]);
  const disabled = event === null;
  const link = () =>
    copyText(`${location.origin}/events/${eventId}`).then(() => tell('The link is copied'));
  return (
    <div class="actions event-actions">
      <span class="joined">
        <button
          type="button"
          class="primary"
          title="r"
          disabled={isReplaying}
          aria-busy={isReplaying}
          onClick={onReplay}
        >
          Replay
        </button>
        <Menu
          label="Ways to replay"
          class="is-primary"
          items={[
            { text: 'To some destinations …', keys: 'R', run: () => setDialog('destinations') },
            { text: 'Once to a URL …', run: () => setDialog('url') },
            { text: 'Edit and resend …', keys: 'e', disabled, run: () => setDialog('edit') },
          ]}
        >
          <span aria-hidden="true">▾</span>
        </Menu>
      </span>
      <Menu
        label="More actions"
        class="is-quiet"
        items={[
          { text: 'Copy as curl', keys: 'c', disabled, run: () => void curl() },
          { text: 'Copy link', run: () => copied(link()) },
          {
            text: 'Download the body',
            disabled,
            run: () => event && saveFile(`${eventId}.bin`, event.bytes),
          },
          {
            text: 'Download as HAR',
            disabled,
            run: () => void (event && saveHar(endpoint, event)),
          },
          compareItem(endpoint.id, eventId),
          {
            text: 'Delete …',
            isDestructive: true,
            disabled,
            run: () => setDialog('delete'),
          },
        ]}
      >
        More <span aria-hidden="true">▾</span>
      </Menu>
      {compared.value?.eventId === eventId && (
        <span class="muted" role="status">
          Marked: open another event, then compare
        </span>
      )}
      {(dialog === 'destinations' || dialog === 'url') && (
        <ReplayEvent
          endpointId={endpoint.id}
          eventId={eventId}
          to={dialog}
          onReplayed={onChanged}
          onClose={close}
        />
      )}
      {dialog === 'edit' && event && <EditEvent event={event} onClose={close} />}
      {dialog === 'delete' && event && (
        <DeleteEvent event={event} onDeleted={onDeleted} onFailed={onChanged} onClose={close} />
      )}
    </div>
  );
}

/**
 * Returns the menu item that selects the event for a comparison, or compares it with the selected
 * event.
 */
function compareItem(endpointId: string, eventId: string): MenuItem {
  const other = compared.value;
  const mark = (to: typeof other) => {
    compared.value = to;
  };
  if (other?.eventId === eventId) return { text: 'Don’t compare', run: () => mark(null) };
  if (other?.endpointId === endpointId) {
    return {
      text: 'Compare with the marked',
      run: () => navigate(`/endpoints/${endpointId}/compare/${other.eventId}/${eventId}`),
    };
  }
  return { text: 'Compare …', run: () => mark({ endpointId, eventId }) };
}
