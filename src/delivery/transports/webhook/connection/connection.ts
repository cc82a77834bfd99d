import { once } from 'node:events';
import type net from 'node:net';
import { AttemptFailure } from '../../../network/attempt-failure.ts';
import { connectionErrorOf, RESET } from '../../../network/connection-error.ts';
import type { Exchange } from './exchange.ts';
import { idleMs } from './idle-time.ts';
import { leavesConnection } from './request-head.ts';
import { ResponseParser } from './response-parser.ts';
import { StaleConnection } from './stale-connection.ts';

/**
 * The largest number of bytes that a request may read from its connection. It bounds what the
 * parser drops: informational responses, an endless reason phrase, empty lines and chunk
 * extensions. A final response needs at most 16 KiB of headers and 16 KiB of body.
 */
const RECEIVED_MAX_BYTES = 1024 * 1024;
/** The largest body that is copied behind the head, bytes. One write costs less than two. */
const JOINED_MAX_BYTES = 16 * 1024;

export interface ConnectionEvents {
  /** The response is complete, and another request may follow. */
  onFree(): void;
  onClosed(): void;
}

/**
 * A connection that carries one request at a time. Bytes that belong to no request close it.
 *
 * It never sends a request twice. The receiver may have processed a request whose response is
 * strange, so that response is judged here, and by no other client.
 */
export class Connection {
  readonly #socket: net.Socket;
  readonly #events: ConnectionEvents;
  #exchange: Exchange | null = null;
  #parser: ResponseParser | null = null;
  #requests = 0;
  /** What the present request has received, bytes. */
  #received = 0;
  #idleMs = 0;
  #isIdle = false;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;

  constructor(socket: net.Socket, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.#end());
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.#onClose());
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** @param head the request's line and headers, one character for each byte */
  send(head: string, exchange: Exchange): void {
    this.#isIdle = false;
    this.#exchange = exchange;
    this.#parser = new ResponseParser(exchange, exchange.request.method === 'HEAD');
    this.#requests++;
    this.#received = 0;
    exchange.onStart(() => {
      if (this.#exchange === exchange) this.close();
    });
    const { body } = exchange.request;
    const socket = this.#socket;
    if (body.byteLength === 0) {
      socket.write(head, 'latin1');
    } else if (body.byteLength <= JOINED_MAX_BYTES) {
      const bytes = Buffer.allocUnsafe(head.length + body.byteLength);
      bytes.write(head, 'latin1');
      bytes.set(body, head.length);
      socket.write(bytes);
    } else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
    }
  }

  /** Closes the connection when it has been idle for too long. Call it when no request follows. */
  idle(): void {
    this.#isIdle = true;
    // Making a timer costs more than refreshing one. So it stays while requests are under way.
    if (this.#timer && this.#timerMs === this.#idleMs) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#timerMs = this.#idleMs;
    this.#timer = setTimeout(() => {
      if (this.#isIdle) this.close();
    }, this.#idleMs).unref();
  }

  /** Resolves when the connection has ended. */
  async closed(): Promise<void> {
    if (!this.#socket.closed) await once(this.#socket, 'close');
  }

  /** Ends the connection. The request under way gets no more events. */
  close(): void {
    this.#exchange = null;
    this.#socket.destroy();
  }

  /** Ends the connection, and the request under way by `error`. */
  fail(error: Error): void {
    const exchange = this.#exchange;
    this.close();
    if (!exchange) return;
    const hasBegun = this.#parser?.hasBegun;
    const isStale = this.#requests > 1 && !hasBegun && connectionErrorOf(error)?.code === 'reset';
    exchange.onError(isStale ? new StaleConnection(error) : error);
  }

  #read(chunk: Buffer): void {
    const exchange = this.#exchange;
    const parser = this.#parser;
    if (!exchange || !parser) {
      this.close();
      return;
    }
    this.#received += chunk.length;
    try {
      parser.read(chunk);
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    // The exchange may have been given up because of what it got.
    if (this.#exchange !== exchange) return;
    if (parser.isDone) {
      this.#finish(exchange, parser);
    } else if (this.#received > RECEIVED_MAX_BYTES) {
      const message = 'The receiver sent more than 1 MiB without ending a response.';
      this.fail(new AttemptFailure('response_flood', message));
    }
  }

  #end(): void {
    const exchange = this.#exchange;
    if (exchange && this.#parser?.end()) {
      this.close();
      exchange.onEnd();
      return;
    }
    this.fail(new AttemptFailure(RESET.code, RESET.message));
  }

  #finish(exchange: Exchange, parser: ResponseParser): void {
    const head = parser.reusableAfter;
    // Bytes that are still to be sent would delay the next request.
    const isFree = head && leavesConnection(exchange.request) && this.#socket.writableLength === 0;
    this.#idleMs = isFree ? idleMs(head.keepAlive) : 0;
    this.#exchange = null;
    if (this.#idleMs > 0) this.#events.onFree();
    else this.close();
    exchange.onEnd();
  }

  #onClose(): void {
    clearTimeout(this.#timer);
    this.fail(new AttemptFailure(RESET.code, RESET.message));
    this.#events.onClosed();
  }
}
