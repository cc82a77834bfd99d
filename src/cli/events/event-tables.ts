import { styleText } from 'node:util';
import type { AttemptAnswer } from '../../api/deliveries/attempt-answer.ts';
import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { isSuccess } from '../../core/http/is-success.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { heldText } from '../../core/text/held-text.ts';
import { formatSize } from '../../core/text/size.ts';
import { cutToWidth } from '../terminal/display-width.ts';
import type { Column } from '../terminal/output.ts';
import { paintStatus, timeText } from '../terminal/value-text.ts';

export const eventColumns: Column<EventSummaryAnswer>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'status', value: statusText, paint: (text, { status }) => paintStatus(text, status) },
  { title: 'method', value: ({ method }) => method },
  { title: 'received', value: ({ received_at }) => timeText(received_at) },
  { title: 'type', value: typeText, elastic: true, optional: true },
  { title: 'path', value: ({ path }) => path, elastic: true, optional: true },
  { title: 'size', value: ({ size }) => formatSize(size), optional: true, align: 'right' },
  { title: 'attempts', value: ({ attempts }) => String(attempts), optional: true, align: 'right' },
];

/** The longest name of a destination in a column. */
const MAX_NAME_WIDTH = 24;

/** Returns the status, or what holds the event: `held by ledger’s breaker`. Old servers send no counts. */
export function statusText({ status, held_by, delivery_counts }: EventSummaryAnswer): string {
  if (!held_by) return status;
  const name = cutToWidth(held_by.name, MAX_NAME_WIDTH);
  return heldText({ ...held_by, name }, delivery_counts.held);
}

const CHECK: Column<EventSummaryAnswer> = {
  title: 'check',
  value: checkText,
  paint: (text, event) => styleText(isGood(event) ? 'green' : 'yellow', text),
  optional: true,
};

export function withCheck(
  columns: readonly Column<EventSummaryAnswer>[],
  events: readonly EventSummaryAnswer[],
): Column<EventSummaryAnswer>[] {
  if (events.every((event) => checkText(event) === '')) return [...columns];
  const at = columns.findIndex(({ title }) => title === 'received') + 1;
  return columns.toSpliced(at, 0, CHECK);
}

/**
 * Omits a duplicate's verification, because the first event has the same sender. Old servers send
 * no verification.
 */
export function checkText({
  verification,
  duplicate_of,
  duplicate_conflict,
  unjudged,
}: Pick<
  EventSummaryAnswer,
  'verification' | 'duplicate_of' | 'duplicate_conflict' | 'unjudged'
>): string {
  if (duplicate_of) return duplicate_conflict ? 'conflict' : 'duplicate';
  if (unjudged && verification.state !== 'failed') return 'unjudged';
  return verification && verification.state !== 'unverified' ? verification.state : '';
}

function isGood({ verification, duplicate_of, unjudged }: EventSummaryAnswer): boolean {
  return !duplicate_of && !unjudged && verification.state !== 'failed';
}

export function namedColumns(endpoints: readonly EndpointAnswer[]): Column<EventSummaryAnswer>[] {
  const names = new Map(endpoints.map(({ id, name }) => [id, name]));
  const [id, ...others] = eventColumns as [
    Column<EventSummaryAnswer>,
    ...Column<EventSummaryAnswer>[],
  ];
  const value = (event: EventSummaryAnswer) => names.get(event.endpoint_id) ?? event.endpoint_id;
  return [id, { title: 'endpoint', value, elastic: true }, ...others];
}

export const attemptColumns: Column<AttemptAnswer>[] = [
  { title: '#', value: ({ attempt }) => String(attempt), align: 'right' },
  { title: 'trigger', value: triggerText },
  {
    title: 'result',
    value: resultText,
    paint: (text, attempt) => styleText(isSuccess(attempt.response_code) ? 'green' : 'red', text),
  },
  { title: 'took', value: ({ duration_ms }) => formatDuration(duration_ms), align: 'right' },
  { title: 'when', value: ({ attempted_at }) => timeText(attempted_at) },
  { title: 'next', value: nextText, optional: true },
  { title: 'destination', value: ({ destination_url }) => destination_url, elastic: true },
  { title: 'answer', value: answerText, elastic: true, optional: true },
];

/** Returns provider and type, such as `github push`. Omits unknown parts. */
export function typeText({
  provider,
  event_type,
}: Pick<EventSummaryAnswer, 'provider' | 'event_type'>): string {
  return [provider, event_type].filter((text) => text).join(' ');
}

export function triggerText({ trigger, probe }: AttemptAnswer): string {
  return probe ? 'probe' : trigger;
}

export function resultText({ response_code, error }: AttemptAnswer): string {
  return String(response_code ?? error?.code ?? 'unknown');
}

/** Returns an empty text if that time has passed. */
function nextText({ next_attempt_at: next }: AttemptAnswer): string {
  return next !== null && Date.parse(next) > Date.now() ? timeText(next) : '';
}

function answerText({ response_body, error }: AttemptAnswer): string {
  return (response_body || error?.message || '').replace(/\s+/g, ' ').trim();
}
