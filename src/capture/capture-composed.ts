import { BorrowedBody } from '../core/http/borrowed-body.ts';
import { commitOwn, type OwnCommitOptions } from './commit-request.ts';

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

/**
 * Captures a request as if a sender had sent it: the same commit, deliveries and live streams.
 * It needs no connection, so it works with any listening address, proxy and certificate. The
 * endpoint's account sends it, so no source judges it: it is `unverified` without a reason, and
 * an enforced source doesn't refuse it.
 *
 * Returns the event's id. Throws the errors of `commitOwn`.
 */
export function captureComposed(
  { host, body, headers, ...request }: ComposedRequest,
  options: OwnCommitOptions,
): Promise<string> {
  const rawHeaders = ['Host', host, ...headers, 'Content-Length', String(body.length)];
  const typeAt = rawHeaders.findIndex((text, i) => i % 2 === 0 && /^content-type$/i.test(text));
  const contentType = typeAt < 0 ? null : (rawHeaders[typeAt + 1] as string);
  const whole = { ...request, path: '', query: '', rawHeaders, contentType };
  return commitOwn({ ...whole, body: new BorrowedBody(body), isComposed: true }, options);
}
