import { HookrelayError } from '../core/errors.ts';
import { commitOwn, type OwnCommitOptions } from './commit-request.ts';
import { editedRequest, type OriginalRequest, type RequestEdits } from './edited-request.ts';

/**
 * Captures an edited copy of an event. Returns the copy's id.
 *
 * Throws `payload_too_large`, and the errors of `editedRequest` and `commitOwn`.
 */
export async function captureCopy(
  original: OriginalRequest,
  edits: RequestEdits,
  { maxBodyBytes, ...options }: OwnCommitOptions & { maxBodyBytes: number },
): Promise<string> {
  if (edits.body && edits.body.length > maxBodyBytes) {
    throw new HookrelayError(
      'payload_too_large',
      `the body of the copy is larger than ${maxBodyBytes} bytes`,
    );
  }
  return commitOwn(editedRequest(original, edits), options);
}
