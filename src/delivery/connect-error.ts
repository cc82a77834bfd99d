import type { AttemptErrorCode } from '../core/model.ts';

/** Why a connection was not made, found where the stage (DNS, TCP, TLS) is still known. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly code: AttemptErrorCode;

  /** `message` is shown to the destination's owner; `cause` is not. */
  constructor(code: AttemptErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
