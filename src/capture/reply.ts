import { hasNoContent, RESET_CONTENT } from '../core/http/answer-status.ts';
import type { HandshakeAnswer } from '../core/proof/handshake.ts';

/**
 * Headers of every answer of a capture URL. A capture URL shares the dashboard's origin, and an
 * endpoint's own response may be HTML. `sandbox` and `nosniff` keep that HTML from acting for the
 * dashboard's user. The CORS headers let pages of any origin send requests and read the answers.
 */
export const CAPTURE_HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-allow-methods',
  '*',
  'access-control-allow-headers',
  '*',
  'access-control-expose-headers',
  'x-hookrelay-event-id',
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  'sandbox',
  'cache-control',
  'no-store',
];

/** An answer. Its headers include the content-length. */
export interface Reply {
  status: number;
  /** Name, value, name, value … */
  headers: string[];
  /** Empty if the status allows no body. */
  body: string;
}

/**
 * Returns an answer as a capture URL sends it.
 *
 * @param eventId null for a handshake that isn't stored
 */
export function replyWith(
  { status, content_type, body, headers: own = [] }: HandshakeAnswer,
  eventId: string | null,
): Reply {
  const headers = [...CAPTURE_HEADERS, ...own];
  if (eventId !== null) headers.push('x-hookrelay-event-id', eventId);
  if (hasNoContent(status)) return { status, headers, body: '' };
  if (status === RESET_CONTENT) {
    headers.push('content-length', '0');
    return { status, headers, body: '' };
  }
  if (content_type !== null) headers.push('content-type', content_type);
  headers.push('content-length', String(Buffer.byteLength(body)));
  return { status, headers, body };
}
