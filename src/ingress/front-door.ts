import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CaptureTarget } from '../capture/commit-request.ts';
import type { Reply } from '../capture/reply.ts';
import { HookrelayError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Clock, Logger } from '../core/runtime/runtime.ts';
import { CAPTURE_PREFIX, isCaptureTarget } from './capture-target.ts';
import { errorReply, logLevelOfError, sendError, statusOfError } from './error-response.ts';
import type { FastRequest } from './fast-path/fast-request.ts';
import { type RenderedReply, renderReply } from './fast-path/rendered-reply.ts';
import { poison, takeLast, takesRequests } from './poisoned.ts';
import { refuseAmbiguousRequest, refuseForeignHost } from './refuse-request.ts';

/** The shortest time between two logs of the same refusal, ms. */
const LOG_INTERVAL_MS = 10_000;
const PUBLIC_TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

export interface FrontDoorOptions {
  /** Whether the API and the page accept this Host header. */
  takesHost(host: string): boolean;
  clock: Clock;
  log: Logger;
  capture(req: IncomingMessage, res: ServerResponse, target: CaptureTarget): Promise<void>;
  captureFast(request: FastRequest, socket: Socket): Promise<Reply>;
  captureHeaders: readonly string[];
  /** Answers a request for the page. Returns false for any other request. */
  dashboard(req: IncomingMessage, res: ServerResponse): boolean;
  /** Handles all other requests. */
  api: RequestListener;
}

export interface FrontDoor {
  listener: RequestListener;
  /** Captures a request from the fast path. Returns the answer, even for an error. */
  takeFast(request: FastRequest, socket: Socket): Promise<RenderedReply>;
}

/**
 * Returns the first listener for every request. It refuses ambiguous framing. It passes requests
 * for `/in/` to capture without decoding them, and all others to the page or the API.
 *
 * h3 alone would accept absolute-form targets and a second Host, and refuse a malformed `%zz` that
 * capture must store. It would also drop the body of a GET, and join repeated headers.
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
    // After an upgrade request, Node drops the rest of the chunk and parses the next chunk as a new
    // request.
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
  // A pipelined request waits for the previous answer. An unsafe request must not overtake an
  // earlier one (RFC 9112, section 9.3.2).
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

/** Logs a failed request. Returns its request id. */
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
 * Returns a logger of failed requests. It logs every unexpected error. It logs each refusal's code
 * at most once in `LOG_INTERVAL_MS`, because thousands of requests a second may be refused.
 */
function throttled({ clock, log }: FrontDoorOptions) {
  const loggedAt = new Map<string, number>();
  return (error: unknown, requestId: string): void => {
    const level = logLevelOfError(error);
    if (level === null) return;
    const now = clock.monotonic();
    if (error instanceof HookrelayError) {
      if (now - (loggedAt.get(error.code) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return;
      loggedAt.set(error.code, now);
    }
    const status = statusOfError(error);
    log[level]('a request failed', { request_id: requestId, status, error });
  };
}

/** Splits the target of a capture URL without decoding it. Throws `endpoint_not_found`. */
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
