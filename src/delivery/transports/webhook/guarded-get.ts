import type { Clock } from '../../../core/runtime/runtime.ts';
import { NameResolver } from '../../network/name-resolver.ts';
import { createDeliveryAgent, type DeliveryAgent } from './agent.ts';
import { makeAttempt } from './attempt.ts';

/** The deadline of a request, ms. It covers lookup, connection, headers and body. */
const TIMEOUT_MS = 5000;
/** The largest body of an answer, bytes. */
const MOST_BODY_BYTES = 64 * 1024;

export interface GuardedGetOptions {
  /** The operator's `--allow-private-destinations`. */
  allowPrivate: boolean;
  clock: Clock;
}

/**
 * Fetches providers' keys, and the URLs by which a provider confirms a capture URL. It has the same
 * address checks and TLS as deliveries. It follows no redirects.
 */
export class GuardedGet {
  readonly #names: NameResolver;
  readonly #agent: DeliveryAgent;
  readonly #clock: Clock;
  readonly #closed = new AbortController();

  constructor({ allowPrivate, clock }: GuardedGetOptions) {
    this.#clock = clock;
    this.#names = new NameResolver({ allowPrivate, timeoutMs: TIMEOUT_MS });
    this.#agent = createDeliveryAgent({
      allowPrivate,
      connectTimeoutMs: TIMEOUT_MS,
      lookup: this.#names.lookup,
    });
  }

  /** Returns the body of a 200. Rejects for any other status, for a larger body, and after 5 s. */
  async text(href: string): Promise<string> {
    const url = new URL(href);
    const outcome = await makeAttempt(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: ['accept', '*/*', 'user-agent', 'hookrelay'],
        body: new Uint8Array(),
        isAlone: true,
      },
      {
        agent: this.#agent,
        clock: this.#clock,
        timeoutMs: TIMEOUT_MS,
        signal: this.#closed.signal,
        mostBodyBytes: MOST_BODY_BYTES,
      },
    );
    if (!outcome) throw new Error('the server is shutting down');
    const { responseCode, responseBody, responseTruncated, error } = outcome;
    if (error) throw new Error(error.message);
    if (responseCode !== 200) throw new Error(`${url.host} answered ${responseCode}`);
    if (responseTruncated) throw new Error(`the answer of ${url.host} is incomplete or too large`);
    return responseBody ?? '';
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#names.close();
    await this.#agent.destroy();
  }
}
