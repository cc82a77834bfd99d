import type { IncomingMessage } from 'node:http';
import { HookrelayError } from '../core/errors.ts';

/** No form and no link can send it, and no other site may: a browser would ask us first. */
const PAGE_HEADER = 'x-hookrelay-page';

/**
 * Holds a request that a cookie authorises to have come from our own page. Two
 * things must be true: it carries a header of ours, and the browser itself says
 * that it is of the same origin (`Sec-Fetch-Site`, which browsers send to https
 * and to localhost; else `Origin`, which they send with every POST and DELETE).
 * `SameSite=Strict` alone would let in other ports and subdomains of our host.
 *
 * Throws `cross_origin`.
 *
 * @param publicUrl the origin that people see where a proxy changes the Host header
 */
export function requireSameOrigin({ headers }: IncomingMessage, publicUrl: string): void {
  if (headers[PAGE_HEADER] !== undefined && isOurs(headers, publicUrl)) return;
  throw new HookrelayError('cross_origin', 'only the dashboard itself may ask for this', {
    hint: 'programs use /api/auth/login instead',
  });
}

/**
 * Refuses what another site's page sends without asking the browser first, as
 * any page can: a POST of plain text, to a route that needs no token. Programs
 * send neither header; a browser's extensions and its address bar are `none`.
 *
 * Throws `cross_origin`.
 *
 * @param publicUrl as above
 */
export function refuseForeignOrigin({ headers }: IncomingMessage, publicUrl: string): void {
  const isProgram = headers['sec-fetch-site'] === undefined && headers.origin === undefined;
  if (isProgram || headers['sec-fetch-site'] === 'none' || isOurs(headers, publicUrl)) return;
  throw new HookrelayError('cross_origin', 'a page of another site may not ask for this', {
    hint: 'programs send no Origin; where a proxy changes the host, set --public-url',
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
