import type { IncomingMessage, ServerResponse } from 'node:http';
import { HookrelayError } from '../core/errors.ts';
import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import { readBody, tooMuchAtOnce } from '../core/http/read-body.ts';
import type { Endpoint } from '../core/model.ts';
import type { Clock } from '../core/runtime/runtime.ts';
import {
  type CaptureTarget,
  commitAndReply,
  type ReceivedRequest,
  refusal,
} from './commit-request.ts';
import type { HandshakeEffects } from './handshake.ts';
import type { CommitResult } from './judging/judged-commit.ts';
import type { KnownUrls } from './known-urls.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { Reply } from './reply.ts';

/**
 * The largest body that the server reads before it checks that the capture URL exists, bytes.
 * Bodies of this size can't fill the memory, even if every connection sends one at once.
 */
export const EARLY_CHECK_BYTES = 8 * 1024;
const CAPTURED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

export interface CaptureOptions {
  maxBodyBytes: number;
  budget: MemoryBudget;
  clock: Clock;
  known: KnownUrls;
  findEndpoint(publicToken: string): Promise<Endpoint | null>;
  commit(request: CapturedRequest): Promise<CommitResult>;
  effects: HandshakeEffects;
  clientAddress(req: IncomingMessage): string;
}

/**
 * Captures a request: reads its body, commits it with its deliveries, and answers when the commit
 * is on disk. Stores nothing if the request breaks off, is too large, or doesn't fit in the memory
 * budget.
 *
 * Throws the error that the caller must answer with.
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
    const reply = await commitAndReply(received, options);
    if (isLarge) options.known.note(target.publicToken);
    res.writeHead(reply.status, reply.headers).end(reply.body);
    // The store has the body now. Deliveries have their own copies or read the body from the store.
    body.free();
  } finally {
    options.budget.give(reserved);
  }
}

/**
 * Captures a request whose body is in memory and at most `EARLY_CHECK_BYTES` long. Returns the
 * answer. Throws the error that the caller must answer with.
 */
export async function captureBuffered(
  received: ReceivedRequest,
  { budget, ...options }: Pick<CaptureOptions, 'budget' | 'commit' | 'effects'>,
): Promise<Reply> {
  const bytes = received.body.length;
  if (!budget.take(bytes)) throw tooMuchAtOnce();
  try {
    return await commitAndReply(received, options);
  } finally {
    budget.give(bytes);
  }
}

function mayBeLarge(req: IncomingMessage): boolean {
  if (req.headers['transfer-encoding'] !== undefined) return true;
  return Number(req.headers['content-length'] ?? 0) > EARLY_CHECK_BYTES;
}

/**
 * Refuses a large body for an unknown or paused URL before the server reads up to 25 MiB. The
 * commit checks the endpoint again, because the endpoint can still change.
 */
async function refuseEarly(publicToken: string, options: CaptureOptions): Promise<void> {
  if (options.known.has(publicToken)) return;
  const endpoint = await options.findEndpoint(publicToken);
  if (!endpoint) throw refusal('endpoint_not_found');
  if (!endpoint.settings.is_active) throw refusal('endpoint_inactive');
}
