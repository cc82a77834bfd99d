import { type ErrorCode, type ErrorDetails, HookrelayError } from '../../core/errors.ts';
import type { LogFields, Logger } from '../../core/runtime.ts';
import type { WorkerEnd, WorkerOrder } from './relayed-worker.ts';

/** The parts of a store whose methods are called across threads. */
export type StorePart =
  | 'accounts'
  | 'endpoints'
  | 'events'
  | 'replays'
  | 'live'
  | 'queue'
  | 'upkeep';

export interface StoreThreadData {
  dataDir: string;
}

export interface StoreCall {
  id: number;
  /** Null for a method of the store itself. */
  part: StorePart | null;
  method: string;
  args: unknown[];
  /** The caller may send `cancel`: the method takes a signal as its last argument. */
  cancellable: boolean;
}

export type StoreRequest = StoreCall | { cancel: number } | WorkerEnd;

export type StoreAnswer =
  | { opened: { generation: string } }
  | { refused: FailureMessage }
  | { id: number; value: unknown }
  | { id: number; failure: FailureMessage }
  | { log: keyof Logger; message: string; fields: LogFields | undefined }
  | { dropped: string[] }
  | { order: WorkerOrder }
  | { fatal: Error };

/** An error as it crosses threads, where a class of our own would lose its own fields. */
export interface FailureMessage {
  error: unknown;
  own?: { code: ErrorCode; message: string; details: ErrorDetails };
}

export function packFailure(error: unknown): FailureMessage {
  if (!(error instanceof HookrelayError)) return { error };
  const { code, message, hint, issues, retryAfterS, allow, cause } = error;
  const given = Object.entries({ hint, issues, retryAfterS, allow }).filter(
    ([, value]) => value !== undefined,
  );
  return { error: cause, own: { code, message, details: Object.fromEntries(given) } };
}

export function unpackFailure({ error, own }: FailureMessage): unknown {
  if (!own) return error;
  const details = error === undefined ? own.details : { ...own.details, cause: error };
  return new HookrelayError(own.code, own.message, details);
}
