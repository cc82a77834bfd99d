import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { Endpoint, RejectedRequest } from '../core/model.ts';
import type { EventContent } from '../store/contract/events.ts';
import { commitOwn, type OwnCommitOptions } from './commit-request.ts';

/** A request that failed the check of the endpoint's source, and that the store kept. */
export interface KeptRejection {
  rejected: RejectedRequest;
  content: EventContent;
}

/**
 * Captures a rejected request as if its sender had sent it now: with the same commit, deliveries
 * and live streams as any request. The commit also deletes the rejected request. The source's
 * present secrets verify it. If the request has a signed time, the source's tolerance counts from
 * the time when the request first arrived. Returns the event's id.
 *
 * Throws `not_verified` if the request fails again, even if the source isn't enforced,
 * `rejected_not_found` if the rejected request no longer exists, and the errors of `commitOwn`.
 */
export function acceptRejected(
  { publicToken }: Pick<Endpoint, 'publicToken'>,
  { rejected, content }: KeptRejection,
  options: OwnCommitOptions,
): Promise<string> {
  const { id: accepts, method, path, contentType, sourceIp, receivedAt: sentAt } = rejected;
  const { query, rawHeaders } = content;
  const request = { publicToken, method, path, query, rawHeaders, contentType, sourceIp };
  return commitOwn({ ...request, body: new BorrowedBody(content.body), accepts, sentAt }, options);
}
