import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { Endpoint, RejectedRequest } from '../core/model.ts';
import type { EventContent } from '../store/contract/events.ts';
import { commitOwn, type OwnCommitOptions } from './commit-request.ts';

/** A rejected request that the store kept, with its content. */
export interface KeptRejection {
  rejected: RejectedRequest;
  content: EventContent;
}

/**
 * Captures a rejected request as if its sender had sent it now. The same commit deletes the
 * rejected request. The source's present secrets verify the request. A signed time is compared with
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
