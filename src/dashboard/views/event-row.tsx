import type { EventSummary } from '../../api/answers/event.ts';
import { STATUS_TEXT, StatusMark } from '../parts/status.tsx';
import { fullTimeText, plural, sizeText, timeText } from '../text/format.ts';
import { VerificationNote } from './proof/verification.tsx';

export const ROW_HEIGHT_PX = 34;
export const rowId = (eventId: string): string => `row-${eventId}`;

interface EventRowProps {
  event: EventSummary | undefined;
  index: number;
  count: number;
  isSelected: boolean;
  isNew: boolean;
  /** The endpoint has a source, so that unverified requests are worth a word. */
  isProven: boolean;
  onSelect(event: EventSummary): void;
}

/** The event's type, or another short description from its sender. */
export function whatText({ provider, event_type, path }: EventSummary): string {
  if (event_type !== null) return `${provider ?? ''} ${event_type}`.trim();
  return path === '' ? (provider ?? '/') : path;
}

export function EventRow(props: EventRowProps) {
  const { event, index, count, isSelected, isNew, isProven, onSelect } = props;
  if (!event) {
    return (
      <div key={`blank-${index}`} class="row is-blank" role="presentation">
        <span class="blank" />
      </div>
    );
  }
  const { id, status, method, path, event_type, size, received_at, attempts } = event;
  const { verification, duplicate_of } = event;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
    <div
      key={id}
      id={rowId(id)}
      class={`row ${isNew ? 'is-new' : ''}`}
      role="option"
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={index + 1}
      tabIndex={-1}
      onClick={() => onSelect(event)}
    >
      <StatusMark status={status} />
      <span class="off-screen">{STATUS_TEXT[status]}</span>
      <span class={`method is-${method.toLowerCase()}`}>{method}</span>
      <span class="what">
        {whatText(event)}
        {event_type !== null && path !== '' && <span class="muted"> {path}</span>}
      </span>
      <span class="row-notes">
        {duplicate_of !== null && (
          <span class="badge" title={`repeats ${duplicate_of}`}>
            repeat
          </span>
        )}
        {(isProven || verification.state !== 'unverified') && (
          <VerificationNote state={verification.state} />
        )}
        {(status === 'failed' || status === 'dead_letter') && (
          <span class="tries" title={`${plural(attempts, 'attempt')} so far`}>
            ×{attempts}
          </span>
        )}
      </span>
      <span class="size">{sizeText(size)}</span>
      <time class="time" dateTime={received_at} title={fullTimeText(received_at)}>
        {timeText(received_at)}
      </time>
    </div>
  );
}
