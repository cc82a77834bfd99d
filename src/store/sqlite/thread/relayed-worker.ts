import { EventEmitter, once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { WorkerName } from '../../../core/resource.ts';
import { type FailureMessage, unpackFailure } from '../../../core/threads/failure-message.ts';
import type { WorkerThread } from './start-worker.ts';

/** What the store's thread asks of the main thread. */
export type WorkerOrder =
  | { start: number; name: WorkerName; workerData: object; port: MessagePort }
  | { terminate: number };

/** The main thread's report that a thread has ended. */
export type WorkerEnd = { ended: number; error: FailureMessage | null };

/**
 * A thread that the main thread starts for the store's thread: only the main thread
 * can start workers from the packed binary's files. Messages go straight to it.
 */
export class RelayedWorker extends EventEmitter implements WorkerThread {
  readonly #id: number;
  readonly #port: MessagePort;
  readonly #order: (order: WorkerOrder, handedOver?: MessagePort[]) => void;

  constructor(
    id: number,
    name: WorkerName,
    workerData: object,
    order: (order: WorkerOrder, handedOver?: MessagePort[]) => void,
  ) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#id = id;
    this.#port = port1;
    this.#order = order;
    port1.on('message', (message) => this.emit('message', message));
    order({ start: id, name, workerData, port: port2 }, [port2]);
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  async terminate(): Promise<void> {
    const exited = once(this, 'exit');
    this.#order({ terminate: this.#id });
    await exited;
  }

  ref(): void {
    this.#port.ref();
  }

  unref(): void {
    this.#port.unref();
  }

  /** The main thread has reported the end. */
  onEnd(error: FailureMessage | null): void {
    this.#port.close();
    if (error) this.emit('error', unpackFailure(error));
    this.emit('exit');
  }
}
