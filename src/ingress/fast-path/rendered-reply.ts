import { STATUS_CODES, validateHeaderValue } from 'node:http';
import type { Reply } from '../../capture/reply.ts';

/** An answer without the headers that depend on the connection. */
export interface RenderedReply {
  /** The status line and the headers. */
  head: string;
  body: string;
}

/** Renders an answer. Throws `ERR_INVALID_CHAR` for a header value with a line break. */
export function renderReply({ status, headers, body }: Reply): RenderedReply {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    const value = headers[i + 1] as string;
    validateHeaderValue(name, value);
    head += `${name}: ${value}\r\n`;
  }
  return { head, body };
}

/** The time in `date`, Unix s. */
let second = 0;
let date = '';

/**
 * Returns the rest of an answer's head as Node writes it: the date (RFC 9110, section 6.6.1) and
 * the keep-alive headers.
 *
 * @param now Unix ms
 * @param keepAliveS keep-alive timeout, s; null if the connection closes after this answer
 */
export function connectionHeaders(now: number, keepAliveS: number | null): string {
  const nowS = Math.floor(now / 1000);
  if (nowS !== second) {
    second = nowS;
    date = new Date(now).toUTCString();
  }
  const rest =
    keepAliveS === null
      ? 'Connection: close'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveS}`;
  return `Date: ${date}\r\n${rest}\r\n\r\n`;
}
