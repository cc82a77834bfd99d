import { AttemptFailure } from '../../../network/attempt-failure.ts';
import { isSendable } from '../passed-on.ts';

export interface HttpRequest {
  /** Scheme, host and port. */
  origin: string;
  path: string;
  method: string;
  /** Name, value, name, value … */
  headers: string[];
  body: Uint8Array;
  /** Whether the request gets its own connection, which no other request uses. */
  isAlone?: boolean;
}

/** Requests with these methods have `content-length: 0` if the body is empty. */
const EXPECTS_BODY = new Set(['PUT', 'POST', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/** A line break would begin a line of its own, and a blank would end the path. */
const REQUEST_LINE = /^[!#$%&'*+\-.^_`|~\w]+ \/[!-\xff]* HTTP\/1\.1$/;

/** A second header of these names could change where the request ends. */
const OWN_HEADER =
  /^(?:connection|content-length|expect|host|keep-alive|transfer-encoding|upgrade)$/i;

/** Whether the request asks to close the connection. */
export function asksToClose({ method, isAlone }: HttpRequest): boolean {
  // Some receivers send a body after the head, although HEAD has none.
  return isAlone === true || method === 'HEAD';
}

/**
 * Whether another request may follow on the connection. Some receivers don't read the body of a
 * method that expects none. They would take it for the next request.
 */
export function leavesConnection(request: HttpRequest): boolean {
  if (asksToClose(request)) return false;
  return request.body.byteLength === 0 || EXPECTS_BODY.has(request.method);
}

/** Returns the value of `content-length`; null if the request has no such header. */
export function contentLength({ method, body }: HttpRequest): string | null {
  return body.byteLength > 0 || EXPECTS_BODY.has(method) ? String(body.byteLength) : null;
}

export function hostOf({ origin }: HttpRequest): string {
  return origin.slice(origin.indexOf('//') + 2);
}

/**
 * Returns the request line and the headers, one character for each byte. Throws an `AttemptFailure`
 * for CONNECT, and for a request that HTTP/1.1 can't carry or that could be read as two.
 */
export function requestHead(request: HttpRequest): string {
  const { method, path, headers } = request;
  const line = `${method} ${path} HTTP/1.1`;
  if (!REQUEST_LINE.test(line) || method === 'CONNECT') throw unsendable();
  const connection = asksToClose(request) ? 'close' : 'keep-alive';
  let head = `${line}\r\nhost: ${hostOf(request)}\r\nconnection: ${connection}\r\n`;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string;
    const value = headers[i + 1] as string;
    if (!isSendable(name, value) || OWN_HEADER.test(name)) throw unsendable();
    head += `${name}: ${value}\r\n`;
  }
  const length = contentLength(request);
  return head + (length === null ? '\r\n' : `content-length: ${length}\r\n\r\n`);
}

function unsendable(): AttemptFailure {
  return new AttemptFailure('unknown', 'The request cannot be sent by HTTP/1.1.');
}
