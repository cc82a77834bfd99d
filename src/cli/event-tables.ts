import { type Column, colour } from './output.ts';
import { elapsedText, paintStatus, sizeText, timeText } from './value-text.ts';

/** An event as lists and streams show it. */
export interface EventSummary {
  id: string;
  endpoint_id: string;
  status: string;
  method: string;
  received_at: string;
  path: string;
  content_type: string | null;
  size: number;
  provider: string | null;
  event_type: string | null;
  source_ip: string;
  attempts: number;
}

export interface AttemptView {
  id: string;
  attempt: number;
  response_code: number | null;
  response_body: string | null;
  response_truncated: boolean;
  attempted_at: string;
  duration_ms: number;
  error: { code: string; message: string } | null;
  next_attempt_at: string | null;
  trigger: string;
  delivery_id: string;
  destination_id: string;
  destination_url: string;
}

export const eventColumns: Column<EventSummary>[] = [
  { title: 'id', value: ({ id }) => id },
  {
    title: 'status',
    value: ({ status }) => status,
    paint: (text, { status }) => paintStatus(text, status),
  },
  { title: 'method', value: ({ method }) => method },
  { title: 'received', value: ({ received_at }) => timeText(received_at) },
  { title: 'type', value: typeText, elastic: true, optional: true },
  { title: 'path', value: ({ path }) => path, elastic: true, optional: true },
  { title: 'size', value: ({ size }) => sizeText(size), optional: true, align: 'right' },
  { title: 'attempts', value: ({ attempts }) => String(attempts), optional: true, align: 'right' },
];

export const attemptColumns: Column<AttemptView>[] = [
  { title: '#', value: ({ attempt }) => String(attempt), align: 'right' },
  { title: 'trigger', value: ({ trigger }) => trigger },
  {
    title: 'result',
    value: resultText,
    paint: (text, attempt) => colour(isSuccess(attempt) ? 'green' : 'red', text),
  },
  { title: 'took', value: ({ duration_ms }) => elapsedText(duration_ms), align: 'right' },
  { title: 'when', value: ({ attempted_at }) => timeText(attempted_at) },
  { title: 'next', value: nextText, optional: true },
  { title: 'destination', value: ({ destination_url }) => destination_url, elastic: true },
  { title: 'answer', value: answerText, elastic: true, optional: true },
];

/** Who sent what, as far as it is known: `github push`. */
export function typeText({
  provider,
  event_type,
}: Pick<EventSummary, 'provider' | 'event_type'>): string {
  return [provider, event_type].filter((text) => text).join(' ');
}

/** The status, or the name of the error that kept one from coming. */
export function resultText({ response_code, error }: AttemptView): string {
  return String(response_code ?? error?.code ?? 'unknown');
}

/** Of an attempt that was followed by another, that is past. */
function nextText({ next_attempt_at: next }: AttemptView): string {
  return next !== null && Date.parse(next) > Date.now() ? timeText(next) : '';
}

function isSuccess({ response_code }: AttemptView): boolean {
  return response_code !== null && response_code >= 200 && response_code <= 299;
}

function answerText({ response_body, error }: AttemptView): string {
  return (response_body || error?.message || '').replace(/\s+/g, ' ').trim();
}
