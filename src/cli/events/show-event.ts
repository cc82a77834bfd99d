import type { DeliveryAnswer } from '../../api/deliveries/delivery-answer.ts';
import type { EventHeadAnswer } from '../../api/events/event-answer.ts';
import type { RejectedHeadAnswer } from '../../api/events/rejected-request-answer.ts';
import { formatSize } from '../../core/text/size.ts';
import { counted } from '../../core/text/words.ts';
import { indentJson, memberText } from '../terminal/json-text.ts';
import { dim, type Output, type Pair, printable } from '../terminal/output.ts';
import { paintStatus } from '../terminal/value-text.ts';
import { waitText } from './delivery-wait-text.ts';
import { duplicateText, unjudgedText, verificationText } from './event-check-text.ts';
import { statusText, typeText } from './event-tables.ts';

/** The longest body that a terminal shows, characters. A pipe gets the whole body. */
const MAX_SHOWN_ON_TERMINAL = 64 * 1024;
const INDENT = '  ';

export interface PrintedEvent extends EventHeadAnswer {
  body: unknown;
}

export interface PrintedRejected extends RejectedHeadAnswer {
  body: unknown;
}

/** @param text the event's JSON, in which numbers keep all digits */
export function showEvent(out: Output, event: PrintedEvent, text: string): void {
  out.line(`${dim('event:   ')} ${printable(event.id)}`);
  out.line(`${dim('status:  ')} ${paintStatus(printable(event.status), event.status)}`);
  out.pairs([
    ...requestPairs(event),
    ['endpoint', event.endpoint_id],
    // Old servers send none of the following.
    ['copy of', event.edited_from],
    ['sender', verificationText(event)],
    ...failurePairs(event),
    ['repeats', duplicateText(event)],
    ['unjudged', event.unjudged && unjudgedText(event.unjudged)],
    ['waits', event.held_by && statusText(event)],
  ]);
  out.pairs([['counts', countsText(event)]]);
  section(out, 'deliveries', event.deliveries.map(deliveryLine));
  showRequest(out, event, text, `hookrelay events raw ${printable(event.id)} >FILE`);
}

/** Returns a text such as `1 pending (1 held), 2 succeeded`. Old servers send no counts. */
function countsText({ delivery_counts: counts }: PrintedEvent): string | null {
  if (!counts) return null;
  const { held, ...others } = counts;
  const parts = Object.entries(others).flatMap(([state, count]) => {
    if (count === 0) return [];
    const ofHeld = state === 'pending' && held > 0 ? ` (${held} held)` : '';
    return [`${count} ${state}${ofHeld}`];
  });
  return parts.length === 0 ? null : parts.join(', ');
}

export function showRejected(out: Output, rejected: PrintedRejected, text: string): void {
  out.pairs([
    ['rejected', rejected.id],
    ['sender', verificationText(rejected)],
    ...failurePairs(rejected),
    ...requestPairs(rejected),
  ]);
  showRequest(out, rejected, text, 'add --json');
}

/** Returns the reason of a failed verification. Old servers send none. */
function failurePairs({
  verification_failure: failure,
}: Pick<PrintedEvent, 'verification_failure'>): Pair[] {
  return [
    ['why', failure?.message],
    ['to do', failure?.hint],
  ];
}

function requestPairs(request: PrintedEvent | PrintedRejected): Pair[] {
  const { received_at, source_ip, method, path, query, size, content_type } = request;
  return [
    ['received', `${received_at} from ${source_ip}`],
    ['request', `${method} ${path || '/'}${query && `?${query}`}`],
    ['content', `${formatSize(size)}, ${content_type ?? 'no content type'}`],
    ['type', typeText(request)],
  ];
}

/** @param save the command that gets the whole body */
function showRequest(
  out: Output,
  request: PrintedEvent | PrintedRejected,
  text: string,
  save: string,
): void {
  section(
    out,
    'headers',
    request.raw_headers.map(([name, value]) => `${printable(name)}: ${printable(value)}`),
  );
  out.line(dim('body:'));
  showBody(out, request, text, save);
}

function section(out: Output, title: string, lines: string[]): void {
  out.line(dim(`${title}:${lines.length === 0 ? ' none' : ''}`));
  for (const line of lines) out.line(INDENT + line);
}

function deliveryLine(delivery: DeliveryAnswer): string {
  const { state, destination_id, destination_url, attempts, trigger } = delivery;
  const parts = [
    paintStatus(printable(state), state),
    printable(destination_url),
    counted(attempts, 'attempt'),
  ];
  if (destination_id === null) parts.push('once');
  else if (trigger === 'replay') parts.push('replayed');
  const wait = waitText(delivery);
  if (wait !== '') parts.push(`waits for ${wait}`);
  return parts.join(', ');
}

function showBody(
  out: Output,
  event: PrintedEvent | PrintedRejected,
  text: string,
  save: string,
): void {
  if (event.body_encoding === 'none') out.line(`${INDENT}none`);
  if (event.body_encoding === 'base64') out.line(`${INDENT}not text; save it: ${save}`);
  if (event.body_encoding === 'json') shown(indentJson(memberText(text, 'body') ?? 'null'));
  if (event.body_encoding === 'text') shown(event.body as string);

  function shown(body: string): void {
    const isCut = process.stdout.isTTY && body.length > MAX_SHOWN_ON_TERMINAL;
    const part = isCut ? body.slice(0, MAX_SHOWN_ON_TERMINAL) : body;
    out.text(INDENT + part.replaceAll('\n', `\n${INDENT}`));
    if (isCut) out.note(`The body goes on. Save all of it: ${save}`);
  }
}
