import type { AttemptErrorCode } from '../../core/model.ts';

/** Why an attempt failed. Thrown where the cause is still known. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly code: AttemptErrorCode;

  /** The destination's owner sees `message`, but not `cause`. */
  constructor(code: AttemptErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
