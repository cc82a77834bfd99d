import type { IncomingMessage } from 'node:http';
import { HookrelayError } from '../core/errors.ts';
import { isCaptureTarget } from './capture-target.ts';
import { isHost } from './host.ts';

/**
 * Paths that accept any Host, because load balancers and supervisors use their own names. They only
 * show that the server is up.
 */
const ANY_HOST_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Refuses a Host that isn't one of this server's names. Not for captures, whose senders may use any
 * name.
 *
 * Throws `host_not_allowed`.
 */
export function refuseForeignHost(
  { headers: { host } }: IncomingMessage,
  target: string,
  takesHost: (host: string) => boolean,
): void {
  // A request without a Host can't come from a browser, so it can't be DNS rebinding.
  if (host === undefined || takesHost(host)) return;
  if (ANY_HOST_PATHS.has(target.split('?', 1)[0] as string)) return;
  throw new HookrelayError('host_not_allowed', 'this server does not answer to this Host header', {
    hint: 'open it as localhost, or set --public-url to the URL that people open',
  });
}

/**
 * Refuses a request that two HTTP parsers could read differently. Throws `invalid_target` or
 * `not_implemented`.
 */
export function refuseAmbiguousRequest(req: IncomingMessage, target: string): void {
  if (req.httpVersionMajor !== 1) throw invalid('this server supports only HTTP/1.0 and HTTP/1.1');
  refuseHosts(req);
  const encoding = req.headers['transfer-encoding'];
  // An HTTP/1.0 proxy may have forwarded the header without parsing it. The framing is then faulty
  // (RFC 9112, section 6.1).
  if (encoding !== undefined && req.httpVersionMinor === 0) {
    throw invalid('HTTP/1.0 does not allow Transfer-Encoding');
  }
  // Node decodes only `chunked`. For `gzip, chunked` it would pass on an empty body.
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    throw new HookrelayError('not_implemented', 'the only supported transfer coding is chunked');
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
 * Refuses an API path that a URL parser would change (`/a/../b`, `%2e%2e`, backslashes) or can't
 * decode. Otherwise the router and the access checks could see different paths.
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
