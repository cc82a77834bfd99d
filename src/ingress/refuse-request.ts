import type { IncomingMessage } from 'node:http';
import { HookrelayError } from '../core/errors.ts';
import { isCaptureTarget } from './capture-target.ts';
import { isHost } from './host.ts';

/**
 * Balancers and supervisors ask for these by whatever name they have. They tell
 * nothing but that a server is up, and change nothing.
 */
const ASKED_BY_ANY_NAME: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Refuses a Host that is not ours. Captures may have any: their senders have
 * names of their own for a capture URL.
 *
 * Throws `host_not_allowed`.
 */
export function refuseForeignHost(
  { headers: { host } }: IncomingMessage,
  target: string,
  takesHost: (host: string) => boolean,
): void {
  // Every browser sends one.
  if (host === undefined || takesHost(host)) return;
  if (ASKED_BY_ANY_NAME.has(target.split('?', 1)[0] as string)) return;
  throw new HookrelayError('host_not_allowed', 'this server goes by another host', {
    hint: 'ask for localhost, or set --public-url to the URL that people open',
  });
}

/** Refuses what two readers could read in two ways. Throws `invalid_target` or `not_implemented`. */
export function refuseAmbiguousRequest(req: IncomingMessage, target: string): void {
  if (req.httpVersionMajor !== 1) throw invalid('only HTTP/1.0 and HTTP/1.1 are spoken here');
  refuseHosts(req);
  const encoding = req.headers['transfer-encoding'];
  // RFC 9112, section 6.1: its framing is faulty, an older proxy may have passed it on unread.
  if (encoding !== undefined && req.httpVersionMinor === 0) {
    throw invalid('HTTP/1.0 has no transfer coding');
  }
  // Node decodes `chunked` alone; of `gzip, chunked` it would hand over an empty body.
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    throw new HookrelayError('not_implemented', 'no transfer coding but chunked is understood');
  }
  if (!target.startsWith('/') || target.startsWith('//')) {
    throw invalid('the request target must be a path');
  }
  if (!isCaptureTarget(target)) refuseNonCanonical(target);
}

function refuseHosts(req: IncomingMessage): void {
  let hosts = 0;
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) throw invalid('there is more than one Host header');
  const host = req.headers.host;
  if (host === undefined && req.httpVersionMinor === 1) throw invalid('there is no Host header');
  if (host !== undefined && !isHost(host)) throw invalid('the Host header is not a host');
}

/**
 * The API's paths are plain: one that a URL parser would rewrite (`/a/../b`,
 * `%2e%2e`, backslashes) or that can't be decoded is refused, so that whoever
 * routes and whoever checks see the same path.
 */
function refuseNonCanonical(target: string): void {
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  if (URL.parse(path, 'http://host')?.pathname !== path) {
    throw invalid('the path is not canonical');
  }
  try {
    decodeURIComponent(target);
  } catch {
    throw invalid('the request target has a malformed percent-encoding');
  }
}

function invalid(message: string): HookrelayError {
  return new HookrelayError('invalid_target', message);
}
