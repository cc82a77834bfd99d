import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { Endpoint, RejectedRequest } from '../core/model.ts';
import type { EventContent } from '../store/contract/events.ts';
import { commitOwn, type OwnCommitOptions } from './commit-request.ts';

/** A request that the endpoint's source refused, as it was stored. */
export interface KeptRejection {
  rejected: RejectedRequest;
  content: EventContent;
}

/**
 * Captures a rejected request as if its sender had sent it now: the same commit, deliveries
 * and live streams. The commit also deletes the rejected request. The source's present secrets
 * verify it; a tolerance for a signed time counts from the request's own arrival. Returns the
 * event's id.
 *
 * Throws `not_verified` when it fails again, even if the source isn't enforced,
 * `rejected_not_found` when it is gone, and the errors of `commitOwn`.
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
