import { HookrelayError } from '../core/errors.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { Clock } from '../core/runtime/runtime.ts';
import { commitRequest } from './commit-request.ts';
import { editedRequest, type OriginalRequest, type RequestEdits } from './edited-request.ts';
import type { CommitResult } from './judging/judged-commit.ts';

export interface EventCopyOptions {
  maxBodyBytes: number;
  clock: Clock;
  commit(request: CapturedRequest): Promise<CommitResult>;
}

/**
 * Captures an edited copy of an event as if its sender had sent it now: the same commit,
 * deliveries and live streams. Returns the id of the copy.
 *
 * Throws `payload_too_large`, and the errors of `editedRequest` and `commitRequest`.
 */
export async function captureCopy(
  original: OriginalRequest,
  edits: RequestEdits,
  { maxBodyBytes, clock, commit }: EventCopyOptions,
): Promise<string> {
  if (edits.body && edits.body.length > maxBodyBytes) {
    throw new HookrelayError(
      'payload_too_large',
      `the body of the copy is larger than ${maxBodyBytes} bytes`,
    );
  }
  const receivedAt = clock.now();
  const { id } = await commitRequest({ ...editedRequest(original, edits), receivedAt }, commit);
  return id;
}
