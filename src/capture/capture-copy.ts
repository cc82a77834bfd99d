import { HookrelayError } from '../core/errors.ts';
import type { DestinationChoice } from '../core/http/destination-choice.ts';
import { commitOwn, type OwnCommitOptions } from './commit-request.ts';
import { editedRequest, type OriginalRequest, type RequestEdits } from './edited-request.ts';

export interface EditedCopy {
  original: OriginalRequest;
  edits: RequestEdits;
  /** The destinations that get the copy. Undefined for all of them. */
  chosen: DestinationChoice | undefined;
}

/**
 * Captures an edited copy of an event. Returns the copy's id.
 *
 * Throws `payload_too_large`, and the errors of `editedRequest` and `commitOwn`.
 */
export async function captureCopy(
  { original, edits, chosen }: EditedCopy,
  { maxBodyBytes, ...options }: OwnCommitOptions & { maxBodyBytes: number },
): Promise<string> {
  if (edits.body && edits.body.length > maxBodyBytes) {
    throw new HookrelayError(
      'payload_too_large',
      `the body of the copy is larger than ${maxBodyBytes} bytes`,
    );
  }
  const request = editedRequest(original, edits);
  return commitOwn(chosen ? { ...request, chosen } : request, options);
}
