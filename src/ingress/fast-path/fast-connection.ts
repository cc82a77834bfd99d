import type { Socket } from 'node:net';
import { answerClientError } from '../client-error.ts';
import type { ClientLimits } from '../client-limits.ts';
import { type FastRequest, readFastRequest } from './fast-request.ts';
import type { FastPathCounts, HandOverCause } from './hand-over.ts';
import { connectionHeaders, type RenderedReply } from './rendered-reply.ts';

/**
 * How long a connection stays open after the announced keep-alive timeout, ms. A request may be on
 * its way. Node waits the same time.
 */
const KEEP_ALIVE_BUFFER_MS = 1000;
const EMPTY_LINE = Buffer.from('\r\n');

export interface FastConnectionOptions {
  limits: ClientLimits;
  /** The largest body that the fast path takes, bytes. */
  maxBodyBytes: number;
  counts: FastPathCounts;
  now(): number;
  /** Captures a request. Returns the answer, even for a failure. Never rejects. */
  answer(request: FastRequest, socket: Socket): Promise<RenderedReply>;
}

export interface FastConnectionEvents {
  /** Called when a request is taken. */
  onRequest(): void;
  /** Called when the answer is written. */
  onAnswered(): void;
  /** Gives the connection to Node. The bytes of unanswered requests are back in the socket. */
  handOver(): void;
}

/**
 * Reads and answers the captures of one connection. Takes only requests that arrive whole, in one
 * chunk, after the answer to the previous request. Needs a third of the CPU of `node:http`.
 *
 * Never refuses a request. It hands anything unusual to Node, with the connection and the
 * unanswered bytes.
 */
export class FastConnection {
  readonly #socket: Socket;
  readonly #options: FastConnectionOptions;
  readonly #events: FastConnectionEvents;
  /** Whether the connection owes an answer. */
  #isBusy = false;
  #hasAnswered = false;
  /** Whether the connection closes after the current or next answer. */
  #isClosing = false;
  /**
   * Bytes that arrived before the current answer was sent. They pause the socket until that answer.
   */
  #early: Buffer | null = null;

  readonly #onData = (chunk: Buffer): void => this.#take(chunk);
  readonly #onTimeout = (): void => this.#timeOut();
  readonly #onEnd = (): void => {
    this.takeLast();
    if (!this.#isBusy) this.#socket.destroySoon();
  };
  // Node doesn't destroy the socket after a TLS error that follows the handshake.
  readonly #onError = (): void => void this.#socket.destroy();

  constructor(socket: Socket, options: FastConnectionOptions, events: FastConnectionEvents) {
    this.#socket = socket;
    this.#options = options;
    this.#events = events;
    socket.setTimeout(options.limits.headersTimeoutMs);
    socket.on('data', this.#onData);
    socket.on('timeout', this.#onTimeout);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
  }

  /** Closes the connection after its current answer, or otherwise after its next answer. */
  takeLast(): void {
    this.#isClosing = true;
  }

  /** Closes the connection if it owes no answer and the socket's buffer is empty. */
  closeIdle(): void {
    const { writable, writableLength } = this.#socket;
    if (!this.#isBusy && writable && writableLength === 0) this.#socket.destroySoon();
  }

  #take(chunk: Buffer): void {
    const socket = this.#socket;
    // Bytes after the last answer get no answer.
    if (!socket.writable) return;
    if (this.#isBusy) {
      this.#early = chunk;
      socket.pause();
      return;
    }
    // Some senders add CRLF after a body (RFC 9112, section 2.2).
    if (this.#hasAnswered && chunk.equals(EMPTY_LINE)) return;
    // A sender that doesn't read its answers goes to Node, which applies back-pressure.
    const request = socket.writableNeedDrain
      ? 'slow_reader'
      : readFastRequest(chunk, this.#options.maxBodyBytes);
    if (typeof request === 'string') this.#handOver(chunk, request);
    else void this.#answer(request);
  }

  async #answer(request: FastRequest): Promise<void> {
    const socket = this.#socket;
    this.#isBusy = true;
    this.#options.counts.taken++;
    this.#events.onRequest();
    const { head, body } = await this.#options.answer(request, socket);
    this.#isBusy = false;
    request.body.free();
    if (!socket.writable) return;
    const { limits, now } = this.#options;
    const isLast = request.isLast || this.#isClosing;
    const keepAliveS = isLast ? null : Math.floor(limits.keepAliveTimeoutMs / 1000);
    socket.write(head + connectionHeaders(now(), keepAliveS) + body);
    this.#events.onAnswered();
    if (isLast) {
      socket.destroySoon();
      return;
    }
    if (!this.#hasAnswered) {
      this.#hasAnswered = true;
      socket.setTimeout(limits.keepAliveTimeoutMs + KEEP_ALIVE_BUFFER_MS);
    }
    if (this.#early) this.#handOver(this.#early, 'pipelined');
  }

  #handOver(bytes: Buffer, cause: HandOverCause): void {
    const socket = this.#socket;
    this.#options.counts.handedOver[cause]++;
    socket.pause();
    socket.setTimeout(0);
    socket.off('data', this.#onData);
    socket.off('timeout', this.#onTimeout);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    socket.unshift(bytes);
    this.#events.handOver();
    socket.resume();
  }

  #timeOut(): void {
    if (this.#isBusy) return;
    if (this.#hasAnswered) this.#socket.destroy();
    else answerClientError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, this.#socket);
  }
}
