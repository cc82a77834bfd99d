import type { AttemptErrorCode } from '../../core/model.ts';

/** The reason why an attempt failed, named where the cause is still known. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly code: AttemptErrorCode;

  /** `message` is shown to the destination's owner; `cause` is not. */
  constructor(code: AttemptErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
