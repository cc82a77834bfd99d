import type { LogFields, Logger } from '../../../core/runtime.ts';
import type { FailureMessage } from './failure-message.ts';
import type { WorkerEnd, WorkerOrder } from './relayed-worker.ts';

/** The parts of a store whose methods are called across threads. */
export type StorePart =
  | 'accounts'
  | 'endpoints'
  | 'destinations'
  | 'events'
  | 'replays'
  | 'live'
  | 'queue'
  | 'upkeep';

export interface StoreThreadData {
  dataDir: string;
  /** Set to 1 by load-sqlite.ts. */
  loaded: Int32Array;
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
  | { log: keyof Logger; message: string; fields: LogFields; error: FailureMessage }
  | { dropped: string[] }
  | { order: WorkerOrder }
  | { fatal: FailureMessage };
