import type { Logger } from '../../core/runtime/runtime.ts';
import { Turns } from '../../core/turns/turns.ts';
import { certificateOf } from '../../providers/fetched-keys/certificate.ts';
import type { FetchedKey, KeyRequest } from '../../providers/fetched-keys/fetched-key.ts';
import { EndpointRate } from './endpoint-rate.ts';

/**
 * At most this many keys are in memory. A sender can name many URLs, but a URL without a key takes
 * no place here.
 */
const MOST_KEYS = 200;
/**
 * How long a key is kept, ms. A key that its provider withdraws can verify requests for that long.
 */
const KEEP_MS = 24 * 60 * 60_000;
/** Time after a failed fetch before the next one, ms. */
export const FAILED_FOR_MS = 30_000;
const MOST_FAILED = 1000;
/** The fetches that requests of one endpoint may cause. */
const FETCHES = { most: 10, windowMs: 60_000 };
/**
 * At most this many requests wait for one key. The memory budget of captures counts their bodies.
 */
const MOST_WAITING = 100;
/** Fetches that run at once, for all accounts and for one account. */
const TURNS = { slots: 8, slotsPerKey: 2 };

export interface KeyRingOptions {
  /** Fetches the body of a URL. Rejects if there is none. */
  get(url: string): Promise<string>;
  log: Logger;
  /** ms */
  monotonic(): number;
}

export interface KeyUser {
  publicToken: string;
  userId: string;
}

interface Kept {
  key: FetchedKey;
  /** Monotonic ms. */
  until: number;
}

/**
 * Keeps the keys that providers publish on the network. All requests that need a key share one
 * fetch. A forgery can name a provider's URL that has no key. So URLs without a key have their own
 * memory, and each endpoint has a limit of fetches.
 */
export class KeyRing {
  readonly #options: KeyRingOptions;
  /** By URL, the least recently used first. */
  readonly #keys = new Map<string, Kept>();
  /** When each URL without a key may be fetched again, monotonic ms, oldest first. */
  readonly #failed = new Map<string, number>();
  readonly #fetching = new Map<string, { key: Promise<FetchedKey | null>; waiting: number }>();
  readonly #rate: EndpointRate;
  readonly #turns = new Turns(TURNS);

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#rate = new EndpointRate(FETCHES, options.monotonic);
  }

  /**
   * Returns the key in memory, null after a recent failure, or undefined if the key must be
   * fetched.
   */
  known({ url }: KeyRequest): FetchedKey | null | undefined {
    const now = this.#options.monotonic();
    const kept = this.#keys.get(url);
    if (kept && now < kept.until) {
      this.#keys.delete(url);
      this.#keys.set(url, kept);
      return kept.key;
    }
    const failedUntil = this.#failed.get(url);
    if (failedUntil === undefined) return undefined;
    if (now < failedUntil) return null;
    this.#failed.delete(url);
    return undefined;
  }

  /** Fetches a key. Returns null if that fails or exceeds a limit. Never rejects. */
  fetch(request: KeyRequest, { publicToken, userId }: KeyUser): Promise<FetchedKey | null> {
    const { url } = request;
    const running = this.#fetching.get(url);
    if (running) {
      running.waiting++;
      return running.waiting > MOST_WAITING ? Promise.resolve(null) : running.key;
    }
    // Forgeries that name new URLs must not block the refresh of a known key.
    const isAllowed = this.#keys.has(url) || this.#rate.take(publicToken);
    if (!isAllowed) return Promise.resolve(null);
    const key = this.#turns
      .run(userId, () => this.#fetch(request))
      .finally(() => this.#fetching.delete(url));
    this.#fetching.set(url, { key, waiting: 1 });
    return key;
  }

  async #fetch({ url }: KeyRequest): Promise<FetchedKey | null> {
    try {
      const certificate = certificateOf(await this.#options.get(url));
      if (!certificate) throw new Error('the answer has no certificate with an RSA key');
      const key = { url, text: certificate.pem };
      this.#keys.delete(url);
      this.#keys.set(url, { key, until: this.#options.monotonic() + KEEP_MS });
      drop(this.#keys, MOST_KEYS);
      return key;
    } catch (error) {
      this.#options.log.warn('a key could not be fetched; requests that need it fail', {
        url,
        error,
      });
      this.#failed.set(url, this.#options.monotonic() + FAILED_FOR_MS);
      drop(this.#failed, MOST_FAILED);
      return null;
    }
  }
}

function drop(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
