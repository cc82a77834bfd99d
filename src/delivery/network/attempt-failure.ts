import type { AttemptErrorCode } from '../../core/model.ts';

/** The reason why an attempt failed. The code that knows the cause throws it. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly code: AttemptErrorCode;

  /** The destination's owner sees `message`, but not `cause`. */
  constructor(code: AttemptErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
