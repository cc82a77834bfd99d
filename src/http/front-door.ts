import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CaptureTarget, Reply } from '../capture/capture-whole.ts';
import { HookrelayError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Clock, Logger } from '../core/runtime.ts';
import { condemn, isCondemned } from './condemned.ts';
import {
  errorReply,
  JSON_HEADERS,
  logLevelOfError,
  sendError,
  statusOfError,
} from './error-response.ts';
import { isHost } from './host.ts';
import type { OrdinaryRequest } from './ordinary-request.ts';
import { type RenderedReply, renderReply } from './rendered-reply.ts';

const CAPTURE_PREFIX = '/in/';
/** The same refusal is logged again after this, ms. */
const LOG_AGAIN_MS = 10_000;
const PUBLIC_TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

export interface FrontDoorOptions {
  clock: Clock;
  log: Logger;
  capture(req: IncomingMessage, res: ServerResponse, target: CaptureTarget): Promise<void>;
  captureOrdinary(request: OrdinaryRequest, socket: Socket): Promise<Reply>;
  /** Goes with every error of a capture URL. */
  captureHeaders: readonly string[];
  /** Answers what the page asks for and returns true; false leaves it to the API. */
  dashboard(req: IncomingMessage, res: ServerResponse): boolean;
  /** Everything but capture and the page: h3's Node handler. */
  api: RequestListener;
}

export interface FrontDoor {
  listener: RequestListener;
  /** Captures what came whole and is beyond doubt. Returns its answer, an error's too. */
  takeOrdinary(request: OrdinaryRequest, socket: Socket): Promise<RenderedReply>;
}

/**
 * The Node listener, ahead of any framework. It refuses what two readers could
 * read in two ways, gives `/in/` to capture as it came, and the rest to the API.
 *
 * h3 alone would let absolute-form targets and second Hosts in, answer 400 to a
 * malformed `%zz` that capture must store, drop the body of a GET and join
 * repeated headers.
 */
export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const log = throttled(options);
  const listener: RequestListener = (req, res) => {
    if (isCondemned(req.socket)) return;
    const target = req.url as string;
    try {
      refuseAmbiguousRequest(req, target);
    } catch (error) {
      condemn(req, res);
      answerError(req, res, error, options.clock, log, []);
      return;
    }
    if (!target.startsWith(CAPTURE_PREFIX)) {
      if (!options.dashboard(req, res)) options.api(req, res);
      return;
    }
    handleCapture(req, res, target, options).catch((error) => {
      answerError(req, res, error, options.clock, log, options.captureHeaders);
    });
  };
  const takeOrdinary = async (request: OrdinaryRequest, socket: Socket) => {
    try {
      return renderReply(await options.captureOrdinary(request, socket));
    } catch (error) {
      const requestId = logged(error, options.clock, log);
      return renderReply(errorReply(error, { requestId, headers: options.captureHeaders }));
    }
  };
  return { listener, takeOrdinary };
}

async function handleCapture(
  req: IncomingMessage,
  res: ServerResponse,
  target: string,
  options: FrontDoorOptions,
): Promise<void> {
  // Sent before the one ahead of it on this connection is answered: what isn't
  // safe must not overtake (RFC 9112, section 9.3.2).
  if (!res.socket) await once(res, 'socket');
  await options.capture(req, res, captureTarget(target));
}

function answerError(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  clock: Clock,
  log: (error: unknown, requestId: string) => void,
  headers: readonly string[],
): void {
  sendError(req, res, error, { requestId: logged(error, clock, log), headers });
}

/** Logs a failed request. Returns the id that the answer names as well. */
function logged(
  error: unknown,
  clock: Clock,
  log: (error: unknown, requestId: string) => void,
): string {
  const requestId = newId('req', clock.now());
  log(error, requestId);
  return requestId;
}

/**
 * Logs what is the server's fault: each unexpected error, but the same refusal
 * (a full disk, too much at once) once in a while, not for each of thousands of
 * requests a second.
 */
function throttled({ clock, log }: FrontDoorOptions) {
  const loggedAt = new Map<string, number>();
  return (error: unknown, requestId: string): void => {
    const level = logLevelOfError(error);
    if (level === null) return;
    const now = clock.monotonic();
    if (error instanceof HookrelayError) {
      if (now - (loggedAt.get(error.code) ?? Number.NEGATIVE_INFINITY) < LOG_AGAIN_MS) return;
      loggedAt.set(error.code, now);
    }
    const status = statusOfError(error);
    log[level]('a request failed', { request_id: requestId, status, error });
  };
}

/** What `/in/{public_token}` is followed by, raw. Throws `endpoint_not_found`. */
function captureTarget(target: string): CaptureTarget {
  const queryAt = target.indexOf('?');
  const fullPath = queryAt === -1 ? target : target.slice(0, queryAt);
  const query = queryAt === -1 ? '' : target.slice(queryAt + 1);
  const pathAt = fullPath.indexOf('/', CAPTURE_PREFIX.length);
  const publicToken = fullPath.slice(CAPTURE_PREFIX.length, pathAt === -1 ? undefined : pathAt);
  if (!PUBLIC_TOKEN.test(publicToken)) {
    throw new HookrelayError('endpoint_not_found', 'there is no such capture URL');
  }
  return { publicToken, path: pathAt === -1 ? '' : fullPath.slice(pathAt), query };
}

function refuseAmbiguousRequest(req: IncomingMessage, target: string): void {
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
  if (!target.startsWith(CAPTURE_PREFIX)) refuseNonCanonical(target);
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

/**
 * Answers what Node's parser refused, in our form, and closes. Node calls it
 * for a request that never became one, or whose body broke its framing; a
 * connection on which nothing came at all is told so by it too.
 */
export function answerClientError(error: { code?: string }, socket: Socket): void {
  if (isCondemned(socket)) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, code, message] = clientErrorAnswer(error.code);
  const body = JSON.stringify({ error: { code, message } });
  const headers: string[] = [];
  for (let i = 0; i < JSON_HEADERS.length; i += 2) {
    headers.push(`${JSON_HEADERS[i]}: ${JSON_HEADERS[i + 1]}`);
  }
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function clientErrorAnswer(code: string | undefined): [string, string, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [
        '431 Request Header Fields Too Large',
        'headers_too_large',
        'target and headers together are larger than 16 KiB',
      ];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return ['413 Payload Too Large', 'payload_too_large', 'the chunk extensions are too large'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'request_timeout', 'the request took too long to arrive'];
    default:
      return ['400 Bad Request', 'invalid_request', 'this is not a well-formed HTTP/1.1 request'];
  }
}
