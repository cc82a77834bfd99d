import { base64 } from '../../text/binary.ts';
import type { EventDetail } from '../../text/event-answer.ts';

/**
 * An event as a line of NDJSON. The body is exact: a text as a JSON text, other bytes in
 * base64. `body_encoding` says which.
 */
export function exportLine({ bytes, text, ...head }: EventDetail): string {
  // Decoding drops a byte order mark: such a text isn't exact.
  const isExact = text !== null && new TextEncoder().encode(text).length === bytes.length;
  const body =
    bytes.length === 0
      ? { body_encoding: 'none', body: null }
      : isExact
        ? { body_encoding: 'text', body: text }
        : { body_encoding: 'base64', body: base64(bytes) };
  return `${JSON.stringify({ ...head, ...body })}\n`;
}
