import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { Clock } from '../core/runtime/runtime.ts';
import { commitRequest } from './commit-request.ts';
import type { CommitResult } from './judging/judged-commit.ts';

/** A request that the server composes itself, without a connection. */
export interface ComposedRequest {
  publicToken: string;
  method: string;
  /** Name, value, name, value …, without host and length. */
  headers: readonly string[];
  /** Host of the capture URL, for the Host header. */
  host: string;
  body: Buffer;
  sourceIp: string;
}

export interface ComposedCaptureOptions {
  clock: Clock;
  commit(request: CapturedRequest): Promise<CommitResult>;
}

/**
 * Captures a request as if a sender had sent it: the same commit, deliveries
 * and live streams. It needs no connection, so it works with any listening address,
 * proxy and certificate. The endpoint's account sends it, so no source is asked: it is
 * `unverified` for no reason, and an enforced source doesn't refuse it.
 *
 * Returns the event's id. Throws the errors of `commitRequest`.
 */
export async function captureComposed(
  { host, body, headers, ...request }: ComposedRequest,
  { clock, commit }: ComposedCaptureOptions,
): Promise<string> {
  const receivedAt = clock.now();
  const rawHeaders = ['Host', host, ...headers, 'Content-Length', String(body.length)];
  const typeAt = rawHeaders.findIndex((text, i) => i % 2 === 0 && /^content-type$/i.test(text));
  const whole = {
    ...request,
    path: '',
    query: '',
    rawHeaders,
    body: new BorrowedBody(body),
    contentType: typeAt < 0 ? null : (rawHeaders[typeAt + 1] as string),
    receivedAt,
    isComposed: true,
  };
  const { id } = await commitRequest(whole, commit);
  return id;
}
