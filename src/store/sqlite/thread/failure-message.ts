import { types } from 'node:util';
import { type ErrorCode, type ErrorDetails, HookrelayError } from '../../../core/errors.ts';

/** An error as it crosses threads, where it would lose its class and all fields but the usual ones. */
export interface FailureMessage {
  /** What was thrown, unless it is `own`. */
  error?: unknown;
  /** Of an error of SQLite or Node. */
  code?: string;
  own?: { code: ErrorCode; message: string; details: ErrorDetails };
  cause?: FailureMessage;
}

export function packFailure(error: unknown): FailureMessage {
  if (!(error instanceof Error)) return { error };
  const cause = error.cause === undefined ? {} : { cause: packFailure(error.cause) };
  if (!(error instanceof HookrelayError)) {
    // A DOMException's is a number, and its own.
    const code = 'code' in error && typeof error.code === 'string' && { code: error.code };
    return { error: cloneable(error), ...code, ...cause };
  }
  const { code, message, hint, issues, retryAfterS, allow } = error;
  const given = Object.entries({ hint, issues, retryAfterS, allow }).filter(
    ([, value]) => value !== undefined,
  );
  return { own: { code, message, details: Object.fromEntries(given) }, ...cause };
}

/** The error that ended a thread comes from there as something that only looks like one: its clone is empty. */
function cloneable(error: Error): Error {
  const { message, stack } = error;
  return types.isNativeError(error) ? error : Object.assign(new Error(message), { stack });
}

export function unpackFailure({ error, code, own, cause }: FailureMessage): unknown {
  const caused = cause && { cause: unpackFailure(cause) };
  if (own) return new HookrelayError(own.code, own.message, { ...own.details, ...caused });
  if (!(error instanceof Error)) return error;
  return Object.assign(error, code !== undefined && { code }, caused);
}
