import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../capture/reply.ts';
import { type ApiErrorCode, type ErrorCode, HookrelayError } from '../core/errors.ts';
import { poison } from './poisoned.ts';

/** The only map from error code to HTTP status. */
export const STATUS: Readonly<Record<ApiErrorCode, number>> = {
  invalid_input: 400,
  invalid_json: 400,
  invalid_target: 400,
  headers_required: 400,
  url_not_allowed: 400,
  unsupported_framework: 400,
  missing_token: 401,
  invalid_token: 401,
  token_expired: 401,
  invalid_credentials: 401,
  plan_required: 403,
  session_required: 403,
  scope_required: 403,
  registration_closed: 403,
  setup_link_invalid: 403,
  cross_origin: 403,
  host_not_allowed: 403,
  not_found: 404,
  endpoint_not_found: 404,
  endpoint_inactive: 404,
  destination_not_found: 404,
  delivery_not_found: 404,
  attempt_not_found: 404,
  rule_version_not_found: 404,
  replay_not_found: 404,
  issue_not_found: 404,
  channel_not_found: 404,
  type_not_found: 404,
  schema_not_found: 404,
  event_not_found: 404,
  session_not_found: 404,
  token_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  email_taken: 409,
  limit_reached: 409,
  endpoint_paused: 409,
  signature_invalid: 401,
  key_unavailable: 503,
  handshake_failed: 503,
  not_verified: 409,
  rejected_not_found: 404,
  destination_paused: 409,
  destination_disabled: 409,
  delivery_settled: 409,
  channel_unconfirmed: 409,
  smtp_not_configured: 409,
  payload_too_large: 413,
  rate_limited: 429,
  busy: 429,
  not_implemented: 501,
  ai_unavailable: 503,
  overloaded: 503,
  search_too_long: 503,
  storage_full: 503,
  storage_unavailable: 503,
  schema_newer: 503,
  not_ready: 503,
  internal: 500,
};

/** Errors that need a `WWW-Authenticate` header (RFC 6750, section 3). */
const TOKEN_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'missing_token',
  'invalid_token',
  'token_expired',
]);

/** Errors with status 503 that aren't a fault of the server. */
const BY_DESIGN: ReadonlySet<ErrorCode> = new Set([
  'ai_unavailable',
  'handshake_failed',
  'key_unavailable',
  'overloaded',
  'search_too_long',
  'not_ready',
]);

/**
 * Headers of every JSON answer of the API. They keep browsers from caching, sniffing or framing it.
 */
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

/** This status always closes the connection, even if the body has arrived completely. */
const PAYLOAD_TOO_LARGE = 413;

/** The most bytes of a refused body that the server reads before it closes the connection. */
const LINGER_BYTES = 4 * 1024 * 1024;
/** The longest time to read them, ms. */
const LINGER_MS = 1000;

export interface ErrorContext {
  requestId: string;
  /** Additional headers: name, value, name, value … */
  headers?: readonly string[];
}

/** Returns the HTTP status of an error; 500 if the API doesn't know the error. */
export function statusOfError(error: unknown): number {
  return error instanceof HookrelayError && isOfApi(error.code) ? STATUS[error.code] : 500;
}

function isOfApi(code: ErrorCode): code is ApiErrorCode {
  return Object.hasOwn(STATUS, code);
}

/**
 * Returns the log level of an error: `error` for a fault of the server, `warn` for an intended
 * refusal such as overload. Null, for a fault of the client, means that nothing is logged.
 */
export function logLevelOfError(error: unknown): 'error' | 'warn' | null {
  const status = statusOfError(error);
  if (status !== 500 && status !== 503) return null;
  return error instanceof HookrelayError && BY_DESIGN.has(error.code) ? 'warn' : 'error';
}

/** Returns the answer to an error, with `content-length`. */
export function errorReply(error: unknown, { requestId, headers = [] }: ErrorContext): Reply {
  const status = statusOfError(error);
  const beside = error instanceof HookrelayError ? error.beside : undefined;
  const body = JSON.stringify({ error: describe(error, status, requestId), ...beside });
  const all = [...JSON_HEADERS, ...headers, 'x-request-id', requestId];
  if (error instanceof HookrelayError) {
    if (error.retryAfterS !== undefined) all.push('retry-after', String(error.retryAfterS));
    if (error.allow !== undefined) all.push('allow', error.allow);
    if (TOKEN_ERRORS.has(error.code)) all.push('www-authenticate', challenge(error.code));
  }
  all.push('content-length', String(Buffer.byteLength(body)));
  return { status, headers: all, body };
}

/** Answers a request with an error. An unexpected error reveals only the request id. */
export function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  context: ErrorContext,
): void {
  // `res.socket` is null while the answer waits for earlier answers on its connection.
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
  // Ends only the server's side (RFC 9112, section 9.6). A client that waits for the close sees it
  // now.
  res.write(body, () => req.socket.end());
  linger(req, res);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function describe(error: unknown, status: number, requestId: string): Record<string, unknown> {
  if (!(error instanceof HookrelayError) || status === 500) {
    return {
      code: 'internal',
      message: 'the server failed to handle this request; its log has the details',
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
 * Discards more of the body before it closes the connection, up to `LINGER_BYTES` and `LINGER_MS`.
 * If it closed at once, further bytes would make the system reset the connection. The sender would
 * then lose the answer.
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
