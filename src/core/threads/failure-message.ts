import { types } from 'node:util';
import { type ErrorCode, type ErrorDetails, HookrelayError } from '../errors.ts';

/** An error in the form that crosses threads. A plain clone loses its class and most fields. */
export interface FailureMessage {
  /** The thrown value, unless it is a `HookrelayError`. */
  error?: unknown;
  /** The code of an SQLite or Node error. */
  code?: string;
  own?: { code: ErrorCode; message: string; details: ErrorDetails };
  cause?: FailureMessage;
}

export function packFailure(error: unknown): FailureMessage {
  if (!(error instanceof Error)) return { error };
  const cause = error.cause === undefined ? {} : { cause: packFailure(error.cause) };
  if (!(error instanceof HookrelayError)) {
    // The code of a DOMException is a number. The clone in `error` keeps it.
    const code = 'code' in error && typeof error.code === 'string' && { code: error.code };
    return { error: cloneable(error), ...code, ...cause };
  }
  const { code, message, hint, issues, retryAfterS, allow } = error;
  const given = Object.entries({ hint, issues, retryAfterS, allow }).filter(
    ([, value]) => value !== undefined,
  );
  return { own: { code, message, details: Object.fromEntries(given) }, ...cause };
}

/**
 * Returns an error that can be cloned. The error that ended a thread is a copy, not a native error,
 * and a clone of it would be empty.
 */
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
