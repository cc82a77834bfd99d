import type { LogFields, Logger } from '../../../core/runtime.ts';
import type { FailureMessage } from '../../../core/threads/failure-message.ts';
import type { WorkerEnd, WorkerOrder } from './relayed-worker.ts';
import type { OperationName } from './store-operations.ts';

export interface StoreThreadData {
  dataDir: string;
  /** Set to 1 by load-sqlite.ts. */
  loaded: Int32Array;
}

export interface StoreCall {
  id: number;
  operation: OperationName;
  args: unknown[];
  /** The caller may send `cancel`: the operation takes a signal after these arguments. */
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
  | { account: string; cpuMs: number }
  | { order: WorkerOrder }
  | { fatal: FailureMessage };
