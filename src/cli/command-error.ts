import { type ErrorCode, HookrelayError } from '../core/errors.ts';
import type { Logger } from '../core/runtime/runtime.ts';

/** Returns the error for wrong usage that commander can't detect. The exit code is 2. */
export function usageError(message: string, hint?: string): HookrelayError {
  return new HookrelayError('config_invalid', message, hint === undefined ? {} : { hint });
}

export class MarkedError extends HookrelayError {
  readonly text: string;
  /** Offset of the fault in the text, UTF-16 units. */
  readonly at: number;

  constructor(message: string, text: string, at: number, hint?: string) {
    super('config_invalid', message, hint === undefined ? {} : { hint });
    this.text = text;
    this.at = at;
  }
}

/** Returns the error of a command that failed at least partly. The exit code is 1. */
export function failure(message: string, hint?: string): HookrelayError {
  return new HookrelayError('invalid_input', message, hint === undefined ? {} : { hint });
}

export function hasCode(error: unknown, ...codes: ErrorCode[]): error is HookrelayError {
  return error instanceof HookrelayError && codes.includes(error.code);
}

export function withHint(error: HookrelayError, hint: string | undefined): HookrelayError {
  const { code, message, issues } = error;
  return new HookrelayError(code, message, {
    ...(hint !== undefined && { hint }),
    ...(issues && { issues }),
    cause: error,
  });
}

/** A failure that is already logged and must not be printed again. */
export class LoggedFailure extends Error {
  constructor(cause: unknown, log: Logger) {
    super('the log says why', { cause });
    if (cause instanceof HookrelayError) {
      log.error(cause.message, { code: cause.code, hint: cause.hint });
    } else {
      log.error('unexpected error', { error: cause });
    }
  }
}
