import type { AttemptAnswer } from '../../api/deliveries/attempt-answer.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { formatSize } from '../../core/text/size.ts';
import { dim, type Output, type Pair, printable } from '../terminal/output.ts';
import { resultText, triggerText } from './event-tables.ts';

const INDENT = '  ';

export interface SentEvent {
  method: string;
  size: number;
}

export function showAttempts(
  out: Output,
  attempts: readonly AttemptAnswer[],
  event: SentEvent,
): void {
  if (attempts.length === 0) out.note('No attempt was made yet.');
  for (const [i, attempt] of attempts.entries()) {
    if (i > 0) out.line('');
    out.pairs(attemptPairs(attempt));
    showRequest(out, attempt, event);
    showResponse(out, attempt);
  }
}

function attemptPairs(attempt: AttemptAnswer): Pair[] {
  const { id, delivery_id, destination_url, attempted_at, duration_ms, error } = attempt;
  return [
    ['attempt', `${attempt.attempt}, ${triggerText(attempt)}`],
    ['id', id],
    ['delivery', delivery_id],
    ['to', destination_url],
    ['at', attempted_at],
    ['result', `${resultText(attempt)} after ${formatDuration(duration_ms)}`],
    ['error', error?.message],
    ['next', attempt.next_attempt_at],
  ];
}

function showRequest(out: Output, { id, request_headers }: AttemptAnswer, event: SentEvent): void {
  if (request_headers === null) {
    out.line(dim('request: not on record'));
    return;
  }
  out.line(`${dim('request:')} ${printable(event.method)}`);
  showHeaders(out, request_headers);
  const save = `hookrelay events raw ${printable(id)} >FILE`;
  if (event.size > 0) out.line(INDENT + dim(`(body of ${formatSize(event.size)}: ${save})`));
}

function showResponse(out: Output, attempt: AttemptAnswer): void {
  const { response_code, response_headers, response_body, response_truncated } = attempt;
  out.line(`${dim('response:')} ${response_code ?? 'none'}`);
  if (response_code === null) return;
  showHeaders(out, response_headers ?? []);
  if (!response_body) return;
  out.line('');
  out.text(INDENT + response_body.replaceAll('\n', `\n${INDENT}`));
  if (response_truncated) out.line(INDENT + dim('… the body went on'));
}

function showHeaders(out: Output, headers: readonly (readonly [string, string])[]): void {
  for (const [name, value] of headers) {
    out.line(`${INDENT}${dim(`${printable(name)}:`)} ${printable(value)}`);
  }
}
