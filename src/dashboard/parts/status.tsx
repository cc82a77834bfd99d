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

export function StatusMark({ status }: { status: Status }) {
  return (
    <span class={`mark is-${status}`} title={STATUS_TEXT[status]} aria-hidden="true">
      {MARKS[status]}
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
