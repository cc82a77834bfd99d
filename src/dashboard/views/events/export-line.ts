import { base64 } from '../../text/binary.ts';
import type { EventDetail } from '../../text/event-answer.ts';

/**
 * Returns an event as a line of NDJSON, with the exact body. A text body becomes a JSON string.
 * Other bytes become base64. `body_encoding` distinguishes the two.
 */
export function exportLine({ bytes, text, ...head }: EventDetail): string {
  // Decoding drops a byte order mark, so a text with such a mark isn't exact.
  const isExact = text !== null && new TextEncoder().encode(text).length === bytes.length;
  const body =
    bytes.length === 0
      ? { body_encoding: 'none', body: null }
      : isExact
        ? { body_encoding: 'text', body: text }
        : { body_encoding: 'base64', body: base64(bytes) };
  return `${JSON.stringify({ ...head, ...body })}\n`;
}
