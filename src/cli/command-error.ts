import { HookrelayError } from '../core/errors.ts';

/** Wrong usage that only the command itself can see; ends it with exit code 2. */
export function usageError(message: string, hint?: string): HookrelayError {
  return new HookrelayError('config_invalid', message, hint === undefined ? {} : { hint });
}

/** What was asked for isn't done, or not all of it; ends the command with exit code 1. */
export function failure(message: string, hint?: string): HookrelayError {
  return new HookrelayError('invalid_input', message, hint === undefined ? {} : { hint });
}
