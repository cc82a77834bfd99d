import { BorrowedBody } from '../core/http/borrowed-body.ts';
import { commitOwn, type OwnCommitOptions } from './commit-request.ts';

/** A request that the server composes itself, without a connection. */
export interface ComposedRequest {
  publicToken: string;
  method: string;
  /** Name, value, name, value …, without `Host` and `Content-Length`. */
  headers: readonly string[];
  /** Host of the capture URL, for the Host header. */
  host: string;
  body: Buffer;
  sourceIp: string;
}

/**
 * Captures a request as if a sender had sent it: with the same commit, deliveries and live streams.
 * It opens no connection, so the listening address, proxies and certificates don't matter. The
 * request comes from the endpoint's own account, so no source checks it: its state is `unverified`
 * without a reason, and an enforced source doesn't refuse it.
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
