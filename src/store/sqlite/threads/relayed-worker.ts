import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Memory } from '../../../core/threads/crossing.ts';
import { type FailureMessage, unpackFailure } from '../../../core/threads/failure-message.ts';
import type { WorkerThread } from './start-worker.ts';

/**
 * A thread that the main thread starts for the store's thread. Only the main thread can start
 * workers from the files in the packed binary. Messages go directly to the new thread.
 */
export class RelayedWorker extends EventEmitter implements WorkerThread {
  readonly #port: MessagePort;

  /** @param start asks the main thread to start the thread, and passes the port for messages */
  constructor(start: (port: MessagePort) => void) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message) => this.emit('message', message));
    start(port2);
  }

  postMessage(message: unknown, memory: Memory[]): void {
    this.#port.postMessage(message, memory);
  }

  ref(): void {
    this.#port.ref();
  }

  unref(): void {
    this.#port.unref();
  }

  /** Call it when the main thread has reported that the thread has ended. */
  onEnd(error: FailureMessage | null): void {
    this.#port.close();
    if (error) this.emit('error', unpackFailure(error));
    this.emit('exit');
  }
}
