import type { IncomingMessage, ServerResponse } from 'node:http';
import { HookrelayError } from '../core/errors.ts';
import { freeMemory } from '../core/free-memory.ts';
import { newId } from '../core/ids.ts';
import type { CapturedRequest, CaptureResponse, Endpoint } from '../core/model.ts';
import { recognise } from '../core/providers.ts';
import { readBody } from '../core/read-body.ts';
import type { Clock } from '../core/runtime.ts';
import type { AppendResult } from '../store/contract/events.ts';
import { handshakeAnswer } from './handshake.ts';
import type { KnownUrls } from './known-urls.ts';
import type { MemoryBudget } from './memory-budget.ts';

/**
 * Bodies past this are read only for a capture URL that exists: all connections
 * together can't fill the memory with less.
 */
const EARLY_CHECK_BYTES = 8 * 1024;
/** The usual ones, for the Allow header; every method but CONNECT and TRACE is captured. */
const CAPTURED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/**
 * On every answer of a capture URL. It shares the dashboard's origin, and an
 * endpoint's own response may be HTML: `sandbox` and `nosniff` keep it inert.
 * Browsers may send from anywhere and read the answer.
 */
export const CAPTURE_HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-allow-methods',
  '*',
  'access-control-allow-headers',
  '*',
  'access-control-expose-headers',
  'x-hookrelay-event-id',
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  'sandbox',
  'cache-control',
  'no-store',
];

/** Whose answers have no body (RFC 9110, section 6.4.1): a length would be a lie. */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** What follows `/in/` in a request's target, undecoded. */
export interface CaptureTarget {
  publicToken: string;
  path: string;
  query: string;
}

export interface CaptureOptions {
  maxBodyBytes: number;
  budget: MemoryBudget;
  clock: Clock;
  known: KnownUrls;
  findEndpoint(publicToken: string): Promise<Endpoint | null>;
  commit(request: CapturedRequest): Promise<AppendResult>;
  clientAddress(req: IncomingMessage): string;
}

/**
 * Takes one request at a capture URL: reads it whole, has it committed with its
 * deliveries, and answers 2xx after that commit is on disk. A request that
 * breaks off, is too large or finds no room is not stored.
 *
 * Throws what is to be answered as an error.
 */
export async function capture(
  req: IncomingMessage,
  res: ServerResponse,
  target: CaptureTarget,
  options: CaptureOptions,
): Promise<void> {
  const receivedAt = options.clock.now();
  const method = req.method as string;
  if (method === 'TRACE' || method === 'CONNECT') {
    throw new HookrelayError('method_not_allowed', `${method} is not captured`, {
      allow: CAPTURED_METHODS,
    });
  }
  const isLarge = mayBeLarge(req);
  if (isLarge) await refuseEarly(target.publicToken, options);
  let reserved = 0;
  try {
    const body = await readBody(req, {
      maxBytes: options.maxBodyBytes,
      reserve: (bytes) => {
        if (!options.budget.take(bytes)) return false;
        reserved += bytes;
        return true;
      },
    });
    const request: CapturedRequest = {
      id: newId('evt', receivedAt),
      ...target,
      ...recognise(req.rawHeaders),
      method,
      rawHeaders: req.rawHeaders,
      body,
      contentType: req.headers['content-type'] ?? null,
      sourceIp: options.clientAddress(req),
      receivedAt,
    };
    const result = await options.commit(request);
    if (!result.stored) throw refusal(result.reason);
    if (isLarge) options.known.note(target.publicToken);
    answer(res, request, body, result.response);
    // Stored, and nobody keeps it: deliveries have copies, or read it again.
    if (isLarge) freeMemory(body);
  } finally {
    options.budget.give(reserved);
  }
}

function mayBeLarge(req: IncomingMessage): boolean {
  if (req.headers['transfer-encoding'] !== undefined) return true;
  return Number(req.headers['content-length'] ?? 0) > EARLY_CHECK_BYTES;
}

/**
 * Strangers must not make the server read 25 MiB for a URL that isn't one. The
 * commit looks again, inside its transaction: this answer may be out of date by then.
 */
async function refuseEarly(publicToken: string, options: CaptureOptions): Promise<void> {
  if (options.known.has(publicToken)) return;
  const endpoint = await options.findEndpoint(publicToken);
  if (!endpoint) throw refusal('endpoint_not_found');
  if (!endpoint.isActive) throw refusal('endpoint_inactive');
}

export function refusal(code: 'endpoint_not_found' | 'endpoint_inactive'): HookrelayError {
  return code === 'endpoint_inactive'
    ? new HookrelayError(code, 'this capture URL is paused; nothing was stored')
    : new HookrelayError(code, 'there is no such capture URL; nothing was stored');
}

function answer(
  res: ServerResponse,
  request: CapturedRequest,
  body: Buffer,
  configured: CaptureResponse | null,
): void {
  const reply = handshakeAnswer({ method: request.method, query: request.query, body }) ??
    configured ?? {
      status: 200,
      content_type: 'application/json',
      body: `{"received":true,"event_id":"${request.id}"}`,
    };
  const headers = [...CAPTURE_HEADERS, 'x-hookrelay-event-id', request.id];
  if (BODILESS_STATUSES.has(reply.status)) {
    res.writeHead(reply.status, headers).end();
    return;
  }
  const length = String(Buffer.byteLength(reply.body));
  headers.push('content-type', reply.content_type, 'content-length', length);
  res.writeHead(reply.status, headers).end(reply.body);
}
