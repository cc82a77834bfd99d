import type { IncomingMessage } from 'node:http';
import { HookrelayError } from '../core/errors.ts';

/** Forms and links can't send this header. Another site's script needs a CORS preflight for it. */
const PAGE_HEADER = 'x-hookrelay-page';

/**
 * Refuses a request with a cookie unless the dashboard sent it. The request must have the header
 * `PAGE_HEADER`, and the browser must state the same origin. A browser sends `Sec-Fetch-Site` only
 * to https and to localhost. Elsewhere it sends `Origin` with every POST and DELETE.
 * `SameSite=Strict` alone would accept requests from other ports and subdomains of this host.
 *
 * Throws `cross_origin`.
 *
 * @param publicUrl the origin that people see if a proxy changes the Host header
 */
export function requireSameOrigin({ headers }: IncomingMessage, publicUrl: string): void {
  if (headers[PAGE_HEADER] !== undefined && isOurs(headers, publicUrl)) return;
  throw new HookrelayError('cross_origin', 'only the dashboard may send this request', {
    hint: 'programs log in at /api/auth/login',
  });
}

/**
 * Refuses a request from another site's page to a route that needs no token. Any page may POST
 * plain text without a CORS preflight. Programs send neither `Sec-Fetch-Site` nor `Origin`.
 * Extensions and the address bar of a browser send `Sec-Fetch-Site: none`.
 *
 * Throws `cross_origin`.
 *
 * @param publicUrl the origin that people see if a proxy changes the Host header
 */
export function refuseForeignOrigin({ headers }: IncomingMessage, publicUrl: string): void {
  const isProgram = headers['sec-fetch-site'] === undefined && headers.origin === undefined;
  if (isProgram || headers['sec-fetch-site'] === 'none' || isOurs(headers, publicUrl)) return;
  throw new HookrelayError('cross_origin', 'a page of another site may not send this request', {
    hint: 'programs send no Origin; behind a proxy that changes the Host header, set --public-url',
  });
}

function isOurs(headers: IncomingMessage['headers'], publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  if (origin === undefined) return false;
  const from = URL.parse(origin);
  return (
    from !== null && (from.host === headers.host || from.origin === URL.parse(publicUrl)?.origin)
  );
}
