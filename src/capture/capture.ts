import type { IncomingMessage, ServerResponse } from 'node:http';
import { HookrelayError } from '../core/errors.ts';
import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import { readBody, tooMuchAtOnce } from '../core/http/read-body.ts';
import type { Endpoint } from '../core/model.ts';
import type { Clock } from '../core/runtime.ts';
import type { AppendResult } from '../store/contract/events.ts';
import {
  type CaptureTarget,
  commitAndReply,
  type ReceivedRequest,
  type Reply,
  refusal,
} from './commit-request.ts';
import type { KnownUrls } from './known-urls.ts';
import type { MemoryBudget } from './memory-budget.ts';

/**
 * Bodies past this are read only for a capture URL that exists: all connections
 * together can't fill the memory with less.
 */
export const EARLY_CHECK_BYTES = 8 * 1024;
/** The usual ones, for the Allow header; every method but CONNECT and TRACE is captured. */
const CAPTURED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

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
 * Captures a request whose body is still to be read. Reads it, commits it with its
 * deliveries, and answers 2xx once that commit is on disk. A request that breaks
 * off, is too large or finds no room is not stored.
 *
 * Throws what is to be answered as an error.
 */
export async function captureStreamed(
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
    const bytes = await readBody(req, {
      maxBytes: options.maxBodyBytes,
      reserve: (bytes) => {
        if (!options.budget.take(bytes)) return false;
        reserved += bytes;
        return true;
      },
    });
    const body = new BorrowedBody(bytes);
    const received: ReceivedRequest = {
      ...target,
      method,
      rawHeaders: req.rawHeaders,
      body,
      contentType: req.headers['content-type'] ?? null,
      sourceIp: options.clientAddress(req),
      receivedAt,
    };
    const reply = await commitAndReply(received, options.commit);
    if (isLarge) options.known.note(target.publicToken);
    res.writeHead(reply.status, reply.headers).end(reply.body);
    // Stored: deliveries have copies, or read it again.
    body.free();
  } finally {
    options.budget.give(reserved);
  }
}

/**
 * Captures a request whose body is in memory, at most `EARLY_CHECK_BYTES`. Returns
 * its answer. Throws what is to be answered as an error.
 */
export async function captureBuffered(
  received: ReceivedRequest,
  { budget, commit }: Pick<CaptureOptions, 'budget' | 'commit'>,
): Promise<Reply> {
  const bytes = received.body.length;
  if (!budget.take(bytes)) throw tooMuchAtOnce();
  try {
    return await commitAndReply(received, commit);
  } finally {
    budget.give(bytes);
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
