import type { Socket } from 'node:net';
import { answerClientError } from '../client-error.ts';
import type { ClientLimits } from '../client-limits.ts';
import { type FastRequest, readFastRequest } from './fast-request.ts';
import type { FastPathCounts, HandOverCause } from './hand-over.ts';
import { connectionHeaders, type RenderedReply } from './rendered-reply.ts';

/** What Node keeps a connection longer than it tells, for an answer that is on its way. */
const KEEP_ALIVE_BUFFER_MS = 1000;
const EMPTY_LINE = Buffer.from('\r\n');

export interface FastConnectionOptions {
  limits: ClientLimits;
  /** Requests with longer bodies are Node's. */
  maxBodyBytes: number;
  counts: FastPathCounts;
  now(): number;
  /** Captures a request. Returns what to answer, also after a failure: it never rejects. */
  answer(request: FastRequest, socket: Socket): Promise<RenderedReply>;
}

/** What a connection notifies the server of. */
export interface FastConnectionEvents {
  /** A request is taken. */
  onRequest(): void;
  /** Its answer is written. */
  onAnswered(): void;
  /** Node gets the connection for good, with the bytes that nobody has answered. */
  handOver(): void;
}

/**
 * The fast path of one connection. Reads and answers captures that each arrive
 * whole in one chunk, after the answer to the one before. This takes a third of
 * the CPU that `node:http` takes: its request and response objects, their streams
 * and events cost more than the rest of a capture.
 *
 * Never rejects a request. Anything unusual is handed to Node with its bytes, and
 * the connection with it: half a request, a large one, another route, a second
 * request before the answer to the first, malformed bytes. The only state here is
 * whether an answer is outstanding.
 */
export class FastConnection {
  readonly #socket: Socket;
  readonly #options: FastConnectionOptions;
  readonly #events: FastConnectionEvents;
  /** Its answer is outstanding. */
  #isBusy = false;
  #hasAnswered = false;
  /** No request is taken after the one under way. */
  #isClosing = false;
  /** What came before an answer was sent; nothing more is read then. */
  #early: Buffer | null = null;

  readonly #onData = (chunk: Buffer): void => this.#take(chunk);
  readonly #onTimeout = (): void => this.#timeOut();
  readonly #onEnd = (): void => {
    this.takeLast();
    if (!this.#isBusy) this.#socket.destroySoon();
  };
  // Node doesn't do it by itself where TLS went wrong after the handshake.
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

  /** The next answer, or the one that is outstanding, is its last. */
  takeLast(): void {
    this.#isClosing = true;
  }

  /** Closes it where no answer is outstanding or on its way. */
  closeIdle(): void {
    const { writable, writableLength } = this.#socket;
    if (!this.#isBusy && writable && writableLength === 0) this.#socket.destroySoon();
  }

  #take(chunk: Buffer): void {
    const socket = this.#socket;
    // The last answer was sent: what comes now gets none.
    if (!socket.writable) return;
    if (this.#isBusy) {
      this.#early = chunk;
      socket.pause();
      return;
    }
    // Some senders end a body so (RFC 9112, section 2.2).
    if (this.#hasAnswered && chunk.equals(EMPTY_LINE)) return;
    // A sender that doesn't read its answers is held back by Node.
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
