import { HookrelayError } from '../core/errors.ts';
import type { Logger } from '../core/runtime.ts';

/** Wrong usage that only the command itself can see; ends it with exit code 2. */
export function usageError(message: string, hint?: string): HookrelayError {
  return new HookrelayError('config_invalid', message, hint === undefined ? {} : { hint });
}

/** What was asked for isn't done, or not all of it; ends the command with exit code 1. */
export function failure(message: string, hint?: string): HookrelayError {
  return new HookrelayError('invalid_input', message, hint === undefined ? {} : { hint });
}

/** A failure that stands in the log, for readers that expect nothing but lines of the log. */
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
