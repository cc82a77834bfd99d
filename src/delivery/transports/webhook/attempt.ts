import { isSuccess } from '../../../core/http/is-success.ts';
import type { AttemptError, HeaderPair } from '../../../core/model.ts';
import type { Clock } from '../../../core/runtime/runtime.ts';
import { type AbortCall, addAbortCall, removeAbortCall } from './abort-calls.ts';
import type { DeliveryAgent } from './agent.ts';
import { attemptErrorOf } from './attempt-error.ts';
import { AgentClosed, type Exchange } from './connection/exchange.ts';
import type { HttpRequest } from './connection/request-head.ts';
import { StaleConnection } from './connection/stale-connection.ts';
import { parseRetryAfter } from './retry-after.ts';

/** The largest part of a response's body that is kept, bytes. The context can set another limit. */
export const RESPONSE_BODY_MAX_BYTES = 16 * 1024;

export interface AttemptRequest extends HttpRequest {
  /** The longest time for making a connection, ms. Default: the agent's bound. */
  connectTimeoutMs?: number;
}

export interface HttpOutcome {
  /** Null if no response began. */
  responseCode: number | null;
  /** All headers; null if no response began. The agent limits them to 16 KiB. */
  responseHeaders: HeaderPair[] | null;
  /** The first `mostBodyBytes` as UTF-8, not decompressed; null if no response began. */
  responseBody: string | null;
  /** Whether the body is longer than that, or didn't arrive whole. */
  responseTruncated: boolean;
  durationMs: number;
  /** Null for any 2xx, and null if the status itself says what is wrong. */
  error: AttemptError | null;
  /** The wait that `Retry-After` asks for, ms. */
  retryAfterMs: number | null;
  /**
   * Whether the deadline or a limit on the response's size ended the attempt. It can be true for a
   * 2xx whose body never ends. The destination then has one slot until an attempt ends in time.
   */
  timedOut: boolean;
  /**
   * Whether the receiver closed a kept connection before it answered. A new connection avoids that.
   */
  wasStale: boolean;
  /** Whether the request got a connection and was written, or was about to be. */
  wasSent: boolean;
}

export interface AttemptContext {
  agent: Pick<DeliveryAgent, 'send'>;
  clock: Clock;
  /** The deadline of the whole attempt, ms. It includes the wait for a connection and the body. */
  timeoutMs: number;
  /** Ends attempts early when the server shuts down. */
  signal: AbortSignal;
  /** The largest part of the response's body that is read, bytes. Default: 16 KiB. */
  mostBodyBytes?: number;
}

/**
 * Makes one HTTP request and returns its outcome. Never rejects.
 *
 * Returns null if `signal` or a destroyed agent ended the attempt before a response began. Nothing
 * is recorded then, and the delivery stays due. Once a status has arrived, that status is the
 * outcome, however the body ends.
 */
export function makeAttempt(
  request: AttemptRequest,
  context: AttemptContext,
): Promise<HttpOutcome | null> {
  return new Promise((resolve) => {
    if (context.signal.aborted) resolve(null);
    else new RunningAttempt(request, context, resolve);
  });
}

/**
 * One HTTP request. Its states are: waiting (for a connection) → sent → responding (a final status
 * came) → settled. It settles once, at the first of these: the end of the body, the limit of the
 * body, an error, the deadline, or the shutdown.
 */
class RunningAttempt implements Exchange, AbortCall {
  readonly request: HttpRequest;
  abortPlace = 0;
  readonly #context: AttemptContext;
  readonly #resolve: (outcome: HttpOutcome | null) => void;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  /** Ends the connection; null before the request is sent. */
  #hangUp: (() => void) | null = null;
  #settled = false;
  #status: number | null = null;
  #headers: HeaderPair[] | null = null;
  #retryAfterMs: number | null = null;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  /** Whether the body is complete. */
  #whole = false;

  constructor(
    request: AttemptRequest,
    context: AttemptContext,
    resolve: (outcome: HttpOutcome | null) => void,
  ) {
    this.request = request;
    this.#context = context;
    this.#resolve = resolve;
    this.#startedAt = context.clock.monotonic();
    this.#timer = setTimeout(this.#onDeadline, context.timeoutMs);
    addAbortCall(context.signal, this);
    context.agent.send(this, request.connectTimeoutMs);
  }

  get isGivenUp(): boolean {
    return this.#settled;
  }

  onStart(hangUp: () => void): void {
    this.#hangUp = hangUp;
  }

  onHead(status: number, headers: HeaderPair[]): void {
    this.#status = status;
    this.#headers = headers;
    const retryAfter = headers.find(isRetryAfter)?.[1];
    if (retryAfter !== undefined) {
      this.#retryAfterMs = parseRetryAfter(retryAfter, this.#context.clock.now());
    }
  }

  onBody(chunk: Buffer): void {
    if (this.#settled) return;
    const { mostBodyBytes = RESPONSE_BODY_MAX_BYTES } = this.#context;
    const room = mostBodyBytes - this.#length;
    if (chunk.length <= room) {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      return;
    }
    this.#chunks.push(chunk.subarray(0, room));
    this.#length += room;
    this.#giveUp(null);
  }

  onEnd(): void {
    this.#whole = true;
    this.#settle(null);
  }

  onError(error: Error): void {
    if (this.#settled) return;
    if (error instanceof AgentClosed) this.onAbort();
    else this.#settle(attemptErrorOf(error), error instanceof StaleConnection);
  }

  readonly #onDeadline = (): void => {
    const { timeoutMs } = this.#context;
    let message = `The response was not complete after ${timeoutMs} ms.`;
    if (!this.#hangUp) message = `No connection after ${timeoutMs} ms.`;
    else if (this.#status === null) message = `No response after ${timeoutMs} ms.`;
    this.#giveUp({ code: 'timeout', message });
  };

  onAbort(): void {
    if (this.#settled) return;
    if (this.#status !== null) this.#giveUp(null);
    else this.#withdraw();
  }

  /**
   * Stops reading, and settles with what has arrived. The rest of the response makes the connection
   * useless for other requests.
   */
  #giveUp(error: AttemptError | null): void {
    this.#settle(error);
    this.#hangUp?.();
  }

  #withdraw(): void {
    this.#release();
    this.#resolve(null);
    this.#hangUp?.();
  }

  #settle(error: AttemptError | null, wasStale = false): void {
    if (this.#settled) return;
    this.#release();
    const status = this.#status;
    this.#resolve({
      responseCode: status,
      responseHeaders: this.#headers,
      responseBody: status === null ? null : this.#text(),
      responseTruncated: status !== null && !this.#whole,
      durationMs: Math.round(this.#context.clock.monotonic() - this.#startedAt),
      error: isSuccess(status) ? null : error,
      retryAfterMs: this.#retryAfterMs,
      timedOut: error?.code === 'timeout' || error?.code === 'response_flood',
      wasStale,
      wasSent: this.#hangUp !== null,
    });
  }

  #release(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    removeAbortCall(this.#context.signal, this);
  }

  #text(): string {
    const [first] = this.#chunks;
    if (!first) return '';
    const bytes = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#length);
    if (this.#whole) return bytes.toString('utf8');
    // `stream` drops a character that is cut in two. Otherwise it would become U+FFFD.
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  }
}

function isRetryAfter([name]: HeaderPair): boolean {
  return name.length === 'retry-after'.length && name.toLowerCase() === 'retry-after';
}
