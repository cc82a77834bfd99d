import type { Dispatcher } from 'undici';
import { formatCount } from '../../../core/text/words.ts';
import { AttemptFailure } from '../../network/attempt-failure.ts';
import { attemptErrorOf } from './attempt-error.ts';
import { StaleConnection } from './stale-connection.ts';

/** The largest number of informational responses (1xx) before the final one. */
const INFORMATIONAL_MAX = 10_000;
/**
 * The largest number of bytes that a request may read from its connection. It bounds what the
 * parser drops: informational responses, an endless reason phrase, empty lines and chunk
 * extensions. A final response needs at most 16 KiB of headers and 16 KiB of body.
 */
const RECEIVED_MAX_BYTES = 1024 * 1024;

/** The connection that a request is sent on. */
export interface ReceivingConnection {
  /** How many bytes it has received so far. */
  readonly bytesRead: number;
}

type OnStart = (watch: ResponseWatch) => { connection: ReceivingConnection; isReused: boolean };

/**
 * Passes the events of a request on to its handler. Ends the request if the receiver sends more
 * than any handler needs. Also ends it at a status on which undici would only fail an assertion.
 */
export class ResponseWatch implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onStart: OnStart;
  #controller: Dispatcher.DispatchController | null = null;
  #connection: ReceivingConnection = { bytesRead: 0 };
  #isReused = false;
  #bytesReadBefore = 0;
  #hasBegun = false;
  #informational = 0;

  /** @param onStart called before the request is written; returns its connection */
  constructor(handler: Dispatcher.DispatchHandler, onStart: OnStart) {
    this.#handler = handler;
    this.#onStart = onStart;
  }

  /** Call when the connection has received bytes. */
  onReceived(): void {
    if (this.#connection.bytesRead - this.#bytesReadBefore <= RECEIVED_MAX_BYTES) return;
    this.#refuse('response_flood', 'The receiver sent more than 1 MiB without ending a response.');
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#controller = controller;
    const { connection, isReused } = this.#onStart(this);
    this.#connection = connection;
    this.#isReused = isReused;
    this.#bytesReadBefore = connection.bytesRead;
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStarted(): void {
    this.#hasBegun = true;
    this.#handler.onResponseStarted?.();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2],
    statusText?: string,
  ): void {
    if (status === 101) {
      this.#refuse('invalid_response', 'The response is an unrequested upgrade (101).');
    } else if (status < 100) {
      const shown = String(status).padStart(3, '0');
      this.#refuse('invalid_response', `The response has an invalid status (${shown}).`);
    } else if (status < 200 && ++this.#informational > INFORMATIONAL_MAX) {
      const most = formatCount(INFORMATIONAL_MAX);
      const message = `The receiver sent more than ${most} informational responses (1xx).`;
      this.#refuse('response_flood', message);
    } else {
      this.#handler.onResponseStart?.(controller, status, headers, statusText);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>[1],
  ): void {
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    const isStale = this.#isReused && !this.#hasBegun && attemptErrorOf(error).code === 'reset';
    this.#handler.onResponseError?.(controller, isStale ? new StaleConnection(error) : error);
  }

  #refuse(code: AttemptFailure['code'], message: string): void {
    this.#controller?.abort(new AttemptFailure(code, message));
  }
}
