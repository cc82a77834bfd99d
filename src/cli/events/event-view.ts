import type { Delivery, EventHead } from '../../api/api-types.ts';
import { indentJson, memberText } from '../terminal/json-text.ts';
import { dim, type Output, printable } from '../terminal/output.ts';
import { countText, paintStatus, sizeText } from '../terminal/value-text.ts';
import { typeText } from './event-tables.ts';
import { waitText } from './wait-text.ts';

/** Longest body on a terminal, characters. A pipe gets all of it. */
const MAX_SHOWN_ON_TERMINAL = 64 * 1024;
const INDENT = '  ';

/** An event as `GET /api/events/{id}` shows it. */
export interface EventDetail extends EventHead {
  body: unknown;
}

/**
 * Prints an event for people.
 *
 * @param text the answer that `event` was parsed from: its numbers are exact
 */
export function showEvent(out: Output, event: EventDetail, text: string): void {
  out.line(`${dim('event:   ')} ${printable(event.id)}`);
  out.line(`${dim('status:  ')} ${paintStatus(printable(event.status), event.status)}`);
  out.pairs([
    ['received', `${event.received_at} from ${event.source_ip}`],
    ['request', `${event.method} ${event.path || '/'}${event.query && `?${event.query}`}`],
    ['content', `${sizeText(event.size)}, ${event.content_type ?? 'no content type'}`],
    ...(typeText(event) ? [['type', typeText(event)] as const] : []),
    ['endpoint', event.endpoint_id],
    // Old servers don't send it.
    ...(event.edited_from ? [['copy of', event.edited_from] as const] : []),
  ]);
  section(out, 'deliveries', event.deliveries.map(deliveryLine));
  section(
    out,
    'headers',
    event.raw_headers.map(([name, value]) => `${printable(name)}: ${printable(value)}`),
  );
  out.line(dim('body:'));
  showBody(out, event, text);
}

function section(out: Output, title: string, lines: string[]): void {
  out.line(dim(`${title}:${lines.length === 0 ? ' none' : ''}`));
  for (const line of lines) out.line(INDENT + line);
}

function deliveryLine(delivery: Delivery): string {
  const { state, destination_id, destination_url, attempts, trigger } = delivery;
  const parts = [
    paintStatus(printable(state), state),
    printable(destination_url),
    countText(attempts, 'attempt'),
  ];
  if (destination_id === null) parts.push('once');
  else if (trigger === 'replay') parts.push('replayed');
  const wait = waitText(delivery);
  if (wait !== '') parts.push(`waits for ${wait}`);
  return parts.join(', ');
}

function showBody(out: Output, event: EventDetail, text: string): void {
  const save = `hookrelay events raw ${printable(event.id)} >FILE`;
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
