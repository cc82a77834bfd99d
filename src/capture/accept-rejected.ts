import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { Endpoint, RejectedRequest } from '../core/model.ts';
import type { Clock } from '../core/runtime/runtime.ts';
import type { EventContent } from '../store/contract/events.ts';
import { commitRequest } from './commit-request.ts';
import type { CommitResult } from './judging/judged-commit.ts';

/** A request that the endpoint's source refused, as it was stored. */
export interface KeptRejection {
  rejected: RejectedRequest;
  content: EventContent;
}

export interface AcceptOptions {
  clock: Clock;
  commit(request: CapturedRequest): Promise<CommitResult>;
}

/**
 * Captures a rejected request as if its sender had sent it now: the same commit,
 * deliveries and live streams, and the rejected one goes with it. The secrets of now verify
 * it; windows of signed times count from when it came. Returns the id of the event.
 *
 * Throws `not_verified` where it still fails, whether the source is enforced or not,
 * `rejected_not_found` where it is gone, and the errors of `commitRequest`.
 */
export async function acceptRejected(
  { publicToken }: Pick<Endpoint, 'publicToken'>,
  { rejected, content }: KeptRejection,
  { clock, commit }: AcceptOptions,
): Promise<string> {
  const { id: accepts, method, path, contentType, sourceIp, receivedAt: sentAt } = rejected;
  const { query, rawHeaders } = content;
  const request = { publicToken, method, path, query, rawHeaders, contentType, sourceIp };
  const body = new BorrowedBody(content.body);
  const { id } = await commitRequest(
    { ...request, body, accepts, sentAt, receivedAt: clock.now() },
    commit,
  );
  return id;
}
