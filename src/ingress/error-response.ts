import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../capture/commit-request.ts';
import { type ErrorCode, HookrelayError } from '../core/errors.ts';
import { poison } from './poisoned.ts';

/** The one map from error to HTTP status. What isn't here answers 500 `internal`. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  invalid_input: 400,
  invalid_json: 400,
  invalid_target: 400,
  unsupported_framework: 400,
  missing_token: 401,
  invalid_token: 401,
  token_expired: 401,
  invalid_credentials: 401,
  plan_required: 403,
  session_required: 403,
  registration_closed: 403,
  setup_link_invalid: 403,
  cross_origin: 403,
  host_not_allowed: 403,
  not_found: 404,
  endpoint_not_found: 404,
  endpoint_inactive: 404,
  destination_not_found: 404,
  event_not_found: 404,
  session_not_found: 404,
  token_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  email_taken: 409,
  limit_reached: 409,
  payload_too_large: 413,
  rate_limited: 429,
  not_implemented: 501,
  ai_unavailable: 503,
  overloaded: 503,
  storage_full: 503,
  storage_unavailable: 503,
  not_ready: 503,
};

/** Tokens are asked for in the way RFC 6750 tells. */
const TOKEN_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'missing_token',
  'invalid_token',
  'token_expired',
]);

/** 503s of a server that is well. */
const BY_DESIGN: ReadonlySet<ErrorCode> = new Set(['ai_unavailable', 'overloaded', 'not_ready']);

/** On every JSON answer of the API: never cached, sniffed, framed or run. */
export const JSON_HEADERS = [
  'content-type',
  'application/json',
  'cache-control',
  'no-store',
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** Closes its connection in any case, whether or not its body happens to have come whole. */
const PAYLOAD_TOO_LARGE = 413;

/** Body that a refused request may still send before its connection is closed. */
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 1000;

export interface ErrorContext {
  requestId: string;
  /** More headers, name, value, name, value … */
  headers?: readonly string[];
}

/** The status that an error is answered with. */
export function statusOfError(error: unknown): number {
  return (error instanceof HookrelayError && STATUS[error.code]) || 500;
}

/**
 * How loudly an error is logged: what is broken as an error, and what the server
 * refuses by design (too much at once, an AI that is off) as a warning. Null:
 * the client's own fault, which is no news.
 */
export function logLevelOfError(error: unknown): 'error' | 'warn' | null {
  const status = statusOfError(error);
  if (status !== 500 && status !== 503) return null;
  return error instanceof HookrelayError && BY_DESIGN.has(error.code) ? 'warn' : 'error';
}

/** What an error is answered with, its length among the headers. */
export function errorReply(error: unknown, { requestId, headers = [] }: ErrorContext): Reply {
  const status = statusOfError(error);
  const body = JSON.stringify({ error: describe(error, status, requestId) });
  const all = [...JSON_HEADERS, ...headers, 'x-request-id', requestId];
  if (error instanceof HookrelayError) {
    if (error.retryAfterS !== undefined) all.push('retry-after', String(error.retryAfterS));
    if (error.allow !== undefined) all.push('allow', error.allow);
    if (TOKEN_ERRORS.has(error.code)) all.push('www-authenticate', challenge(error.code));
  }
  all.push('content-length', String(Buffer.byteLength(body)));
  return { status, headers: all, body };
}

/**
 * Answers a request with an error. An error that isn't ours, or that was never
 * meant for HTTP, says only its request id; the log has the rest.
 */
export function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  context: ErrorContext,
): void {
  // The request's socket: an answer that waits for others on its connection has none yet.
  if (res.headersSent || res.writableEnded || !req.socket.writable) {
    res.destroy();
    return;
  }
  const { status, headers: all, body } = errorReply(error, context);
  const isRead = req.complete || !hasBody(req);
  if (isRead && status !== PAYLOAD_TOO_LARGE) {
    res.writeHead(status, all).end(body);
    return;
  }
  poison(req, res);
  all.push('connection', 'close');
  if (isRead) {
    res.writeHead(status, all).end(body);
    return;
  }
  res.writeHead(status, all);
  res.write(body);
  linger(req, res);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function describe(error: unknown, status: number, requestId: string): Record<string, unknown> {
  if (!(error instanceof HookrelayError) || status === 500) {
    return {
      code: 'internal',
      message: 'something went wrong here; the server’s log tells what',
      request_id: requestId,
    };
  }
  const { code, message, hint, issues } = error;
  return { code, message, ...(hint && { hint }), ...(issues && { issues }) };
}

function challenge(code: ErrorCode): string {
  return code === 'missing_token' ? 'Bearer' : 'Bearer error="invalid_token"';
}

/**
 * Closes a connection whose request wasn't read to its end. Closed at once, the
 * system resets it when more arrives, and the sender never reads the answer: so
 * a little more is taken in and thrown away first.
 */
function linger(req: IncomingMessage, res: ServerResponse): void {
  let discarded = 0;
  const finish = (): void => {
    clearTimeout(timer);
    req.off('data', onData);
    res.end();
  };
  const onData = (chunk: Buffer): void => {
    discarded += chunk.length;
    if (discarded > LINGER_BYTES) finish();
  };
  const timer = setTimeout(finish, LINGER_MS);
  req.on('data', onData).once('end', finish).once('close', finish).resume();
}
