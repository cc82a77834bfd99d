import { BorrowedBody } from '../core/http/borrowed-body.ts';
import { commitOwn, type OwnCommitOptions } from './commit-request.ts';

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
 * Captures a request as if a sender had sent it, but opens no connection. The listening address,
 * proxies and certificates therefore don't matter. No source checks the request, because it comes
 * from the endpoint's own account.
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
