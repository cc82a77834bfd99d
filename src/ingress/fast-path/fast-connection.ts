import type { Socket } from 'node:net';
import { answerClientError } from '../client-error.ts';
import type { ClientLimits } from '../client-limits.ts';
import { type FastRequest, readFastRequest } from './fast-request.ts';
import type { FastPathCounts, HandOverCause } from './hand-over.ts';
import { connectionHeaders, type RenderedReply } from './rendered-reply.ts';

/** Grace after the announced keep-alive timeout, ms, as in Node: a request may be on its way. */
const KEEP_ALIVE_BUFFER_MS = 1000;
const EMPTY_LINE = Buffer.from('\r\n');

export interface FastConnectionOptions {
  limits: ClientLimits;
  /** Longest body on the fast path. Node reads requests with longer ones. */
  maxBodyBytes: number;
  counts: FastPathCounts;
  now(): number;
  /** Captures a request. Returns the answer, even after a failure. Never rejects. */
  answer(request: FastRequest, socket: Socket): Promise<RenderedReply>;
}

/** Events of a connection, for the server. */
export interface FastConnectionEvents {
  /** A request is taken. */
  onRequest(): void;
  /** The answer to a request is written. */
  onAnswered(): void;
  /** The connection goes to Node for good. Its unanswered bytes are unshifted. */
  handOver(): void;
}

/**
 * The fast path of one connection. It reads and answers captures that each arrive
 * whole in one chunk, after the answer to the previous one. It takes a third of
 * the CPU of `node:http`, whose request and response objects, streams and events
 * cost more than the rest of a capture.
 *
 * It never rejects a request. It hands anything unusual to Node, with the bytes and
 * the connection: half a request, a large one, another route, a second request
 * before the answer to the first, malformed bytes. Its only state is whether an
 * answer is outstanding.
 */
export class FastConnection {
  readonly #socket: Socket;
  readonly #options: FastConnectionOptions;
  readonly #events: FastConnectionEvents;
  /** An answer is outstanding. */
  #isBusy = false;
  #hasAnswered = false;
  /** The request under way is the last. */
  #isClosing = false;
  /** Bytes that arrived while an answer is outstanding. The socket is paused then. */
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

  /** Makes the outstanding answer, or otherwise the next one, the connection's last. */
  takeLast(): void {
    this.#isClosing = true;
  }

  /** Closes the connection if no answer is outstanding or in the socket's buffer. */
  closeIdle(): void {
    const { writable, writableLength } = this.#socket;
    if (!this.#isBusy && writable && writableLength === 0) this.#socket.destroySoon();
  }

  #take(chunk: Buffer): void {
    const socket = this.#socket;
    // After the last answer, further bytes get none.
    if (!socket.writable) return;
    if (this.#isBusy) {
      this.#early = chunk;
      socket.pause();
      return;
    }
    // Some senders append CRLF to a body (RFC 9112, section 2.2).
    if (this.#hasAnswered && chunk.equals(EMPTY_LINE)) return;
    // Node applies back-pressure to a sender that doesn't read its answers.
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
