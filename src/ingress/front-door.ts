import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CaptureTarget, Reply } from '../capture/commit-request.ts';
import { HookrelayError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Clock, Logger } from '../core/runtime.ts';
import { CAPTURE_PREFIX, isCaptureTarget } from './capture-target.ts';
import { errorReply, logLevelOfError, sendError, statusOfError } from './error-response.ts';
import { type FastRequest, type RenderedReply, renderReply } from './fast-path/fast-path.ts';
import { poison, takeLast, takesRequests } from './poisoned.ts';
import { refuseAmbiguousRequest, refuseForeignHost } from './refuse-request.ts';

/** The same refusal is logged again after this, ms. */
const LOG_AGAIN_MS = 10_000;
const PUBLIC_TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

export interface FrontDoorOptions {
  /** Whether the API and the page may be asked for by this Host header. */
  takesHost(host: string): boolean;
  clock: Clock;
  log: Logger;
  capture(req: IncomingMessage, res: ServerResponse, target: CaptureTarget): Promise<void>;
  captureFast(request: FastRequest, socket: Socket): Promise<Reply>;
  /** Goes with every error of a capture URL. */
  captureHeaders: readonly string[];
  /** Answers what the page asks for and returns true; false leaves it to the API. */
  dashboard(req: IncomingMessage, res: ServerResponse): boolean;
  /** Everything but capture and the page: h3's Node handler. */
  api: RequestListener;
}

export interface FrontDoor {
  listener: RequestListener;
  /** Captures a request that the fast path read. Returns its answer, an error's too. */
  takeFast(request: FastRequest, socket: Socket): Promise<RenderedReply>;
}

/**
 * The Node listener, ahead of any framework. It refuses requests whose framing is
 * ambiguous, gives `/in/` to capture with its bytes as they came, and the rest to
 * the page and the API.
 *
 * h3 alone would let absolute-form targets and second Hosts in, answer 400 to a
 * malformed `%zz` that capture must store, drop the body of a GET and join
 * repeated headers.
 */
export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const log = throttled(options);
  const listener: RequestListener = (req, res) => {
    if (!takesRequests(req.socket)) return;
    const target = req.url as string;
    try {
      refuseAmbiguousRequest(req, target);
      if (!isCaptureTarget(target)) refuseForeignHost(req, target, options.takesHost);
    } catch (error) {
      poison(req, res);
      answerError(req, res, error, options.clock, log, []);
      return;
    }
    // Node drops what follows it in the same chunk, and takes the next chunk for a request.
    if (req.headers.upgrade !== undefined) takeLast(req, res);
    if (!isCaptureTarget(target)) {
      if (!options.dashboard(req, res)) options.api(req, res);
      return;
    }
    handleCapture(req, res, target, options).catch((error) => {
      answerError(req, res, error, options.clock, log, options.captureHeaders);
    });
  };
  const takeFast = async (request: FastRequest, socket: Socket) => {
    try {
      return renderReply(await options.captureFast(request, socket));
    } catch (error) {
      const requestId = logged(error, options.clock, log);
      return renderReply(errorReply(error, { requestId, headers: options.captureHeaders }));
    }
  };
  return { listener, takeFast };
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
