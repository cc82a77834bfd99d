import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';

type Status = EventSummaryAnswer['status'];

export const STATUS_TEXT: Record<Status, string> = {
  received: 'received',
  delivered: 'delivered',
  failed: 'failed, retrying',
  dead_letter: 'dead letter',
};

/** Signs that differ in shape, for people who can't tell the colours apart. */
const MARKS: Record<Status, string> = {
  received: '○',
  delivered: '●',
  failed: '▲',
  dead_letter: '✕',
};

const HELD_MARK = '‖';

interface StatusMarkProps {
  status: Status;
  /** Whether a delivery waits for something without a time. */
  isHeld?: boolean;
}

export function StatusMark({ status, isHeld = false }: StatusMarkProps) {
  return (
    <span
      class={`mark is-${status}`}
      title={isHeld ? undefined : STATUS_TEXT[status]}
      aria-hidden="true"
    >
      {isHeld ? HELD_MARK : MARKS[status]}
    </span>
  );
}

export function StatusBadge({ status }: { status: Status }) {
  return (
    <span class={`badge is-${status}`}>
      <span aria-hidden="true">{MARKS[status]}</span> {STATUS_TEXT[status]}
    </span>
  );
}
