import type { IncomingMessage } from 'node:http';
import { HookrelayError } from '../core/errors.ts';

/** Forms and links can't send this header. Another site's script needs a CORS preflight for it. */
const PAGE_HEADER = 'x-hookrelay-page';

/**
 * Refuses a request with a cookie unless the dashboard sent it. The request must
 * carry `PAGE_HEADER`, and the browser must state the same origin. Browsers send
 * `Sec-Fetch-Site` to https and to localhost; without it, `Origin` comes with every
 * POST and DELETE. `SameSite=Strict` alone would let in other ports and subdomains
 * of this host.
 *
 * Throws `cross_origin`.
 *
 * @param publicUrl the origin that people see where a proxy changes the Host header
 */
export function requireSameOrigin({ headers }: IncomingMessage, publicUrl: string): void {
  if (headers[PAGE_HEADER] !== undefined && isOurs(headers, publicUrl)) return;
  throw new HookrelayError('cross_origin', 'only the dashboard may send this request', {
    hint: 'programs log in at /api/auth/login',
  });
}

/**
 * Refuses a request of another site's page to a route that needs no token. Any page
 * may send a POST of plain text without a CORS preflight. Programs send neither
 * header. A browser's extensions and its address bar send `none`.
 *
 * Throws `cross_origin`.
 *
 * @param publicUrl the origin that people see where a proxy changes the Host header
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
