import type { Dispatcher } from 'undici';
import { isSuccess } from '../../../core/http/is-success.ts';
import type { AttemptError, HeaderPair } from '../../../core/model.ts';
import type { Clock } from '../../../core/runtime/runtime.ts';
import type { DeliveryAgent } from './agent.ts';
import { attemptErrorOf } from './attempt-error.ts';
import { parseRetryAfter } from './retry-after.ts';
import { StaleConnection } from './stale-connection.ts';

/** Most bytes of a response's body that are read and kept, unless the context says more. */
export const RESPONSE_BODY_MAX_BYTES = 16 * 1024;

export interface AttemptRequest {
  /** Scheme, host and port. */
  origin: string;
  path: string;
  method: string;
  /** Name, value, name, value … */
  headers: string[];
  body: Uint8Array;
  /** Sends the request over a connection of its own, which no earlier request used. */
  isAlone?: boolean;
  /** Bounds the making of a connection, ms. The agent's own bound where this is left out. */
  connectTimeoutMs?: number;
}

export interface HttpOutcome {
  /** Null when no response began. */
  responseCode: number | null;
  /**
   * All headers: the agent ends a response with more than 16 KiB of them. Null when
   * no response began.
   */
  responseHeaders: HeaderPair[] | null;
  /** The first bytes (`mostBodyBytes`) as UTF-8, never decompressed; null when no response began. */
  responseBody: string | null;
  /** The body is longer, or didn't arrive completely. */
  responseTruncated: boolean;
  durationMs: number;
  /** Null on any 2xx, and when the status itself says what is wrong. */
  error: AttemptError | null;
  /** What a `Retry-After` header asked for, ms. */
  retryAfterMs: number | null;
  /**
   * True when a timeout or a flood limit ended the attempt, even after a 2xx whose
   * body never ended. The destination then has one slot until an attempt ends in
   * time.
   */
  timedOut: boolean;
  /**
   * The receiver closed a kept connection before any byte of an answer: a new
   * connection avoids that.
   */
  wasStale: boolean;
  /** The request was written to a connection, or was about to be. */
  wasSent: boolean;
}

export interface AttemptContext {
  agent: Pick<DeliveryAgent, 'dispatch' | 'dispatchAlone'>;
  clock: Clock;
  /** Deadline of the whole attempt, ms: waiting for a connection, making it, headers and body. */
  timeoutMs: number;
  /** Ends attempts early when the server drains. */
  signal: AbortSignal;
  /** Most bytes of the response's body that are read. Default: 16 KiB. */
  mostBodyBytes?: number;
}

/**
 * Makes one HTTP request and returns its outcome. Never throws.
 *
 * Null when `signal` ended the attempt, or the agent was destroyed, before a
 * response began: nothing is recorded, and the delivery is due as before. Once a
 * status has arrived, the status is the outcome, whatever ends the body.
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

/** The reason given to undici when a request is given up. Nobody sees it. */
const GIVEN_UP = new Error('the attempt was given up');

/**
 * A request goes through these states: waiting (in the agent, for a connection) →
 * sent (undici gave a controller) → responding (a final status came) → settled. It
 * settles once, by the first of: end of the body, body cap, error, deadline, drain.
 *
 * It takes undici's events itself (`dispatch`) and not through `undici.request`.
 * There, aborting a request that waits for its connection does nothing until the
 * connection is made, so the deadline would not hold.
 */
class RunningAttempt implements Dispatcher.DispatchHandler {
  readonly #context: AttemptContext;
  readonly #resolve: (outcome: HttpOutcome | null) => void;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #status: number | null = null;
  #headers: HeaderPair[] | null = null;
  #retryAfterMs: number | null = null;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  /** The body came to its end. */
  #whole = false;

  constructor(
    { isAlone = false, ...request }: AttemptRequest,
    context: AttemptContext,
    resolve: (outcome: HttpOutcome | null) => void,
  ) {
    this.#context = context;
    this.#resolve = resolve;
    this.#startedAt = context.clock.monotonic();
    this.#timer = setTimeout(this.#onDeadline, context.timeoutMs);
    context.signal.addEventListener('abort', this.#onDrain);
    const { agent } = context;
    if (isAlone) agent.dispatchAlone(request, this);
    else agent.dispatch(request, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The attempt settled while it waited for this connection.
    if (this.#settled) controller.abort(GIVEN_UP);
  }

  onResponseStart(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // The response is informational; the final one follows.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headerPairs(rawHeaders);
    const retryAfter = headers['retry-after'];
    if (retryAfter !== undefined) {
      const value = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
      this.#retryAfterMs = parseRetryAfter(value, this.#context.clock.now());
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
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

  onResponseEnd(): void {
    this.#whole = true;
    this.#settle(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#settled) return;
    if (this.#status === null && isAgentClosed(error)) this.#withdraw();
    else this.#settle(attemptErrorOf(error), error instanceof StaleConnection);
  }

  readonly #onDeadline = (): void => {
    const { timeoutMs } = this.#context;
    let message = `The response was not complete after ${timeoutMs} ms.`;
    if (!this.#controller) message = `No connection after ${timeoutMs} ms.`;
    else if (this.#status === null) message = `No response after ${timeoutMs} ms.`;
    this.#giveUp({ code: 'timeout', message });
  };

  readonly #onDrain = (): void => {
    if (this.#status !== null) this.#giveUp(null);
    else this.#withdraw();
  };

  /**
   * Stops reading and settles with the status so far. A connection in mid-response
   * can't be used again.
   */
  #giveUp(error: AttemptError | null): void {
    this.#settle(error);
    this.#controller?.abort(GIVEN_UP);
  }

  #withdraw(): void {
    this.#release();
    this.#resolve(null);
    this.#controller?.abort(GIVEN_UP);
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
      wasSent: this.#controller !== null,
    });
  }

  #release(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#context.signal.removeEventListener('abort', this.#onDrain);
  }

  #text(): string {
    const [first] = this.#chunks;
    if (!first) return '';
    const bytes = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#length);
    if (this.#whole) return bytes.toString('utf8');
    // Decoded as the beginning of a stream, a character cut in two leaves no
    // U+FFFD.
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  }
}

function headerPairs(rawHeaders: Dispatcher.DispatchController['rawHeaders']): HeaderPair[] {
  const flat = rawHeaders as readonly Buffer[];
  const pairs: HeaderPair[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) {
    pairs.push([
      (flat[i] as Buffer).toString('latin1'),
      (flat[i + 1] as Buffer).toString('latin1'),
    ]);
  }
  return pairs;
}

function isAgentClosed(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED';
}
