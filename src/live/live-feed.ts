import type { Logger } from '../core/runtime.ts';
import type { FeedItems, FeedStore } from '../store/contract/cluster.ts';
import type { LivePosition } from '../store/contract/live.ts';
import type { Live } from './live.ts';

/** Items read at once. */
const PAGE = 500;
/** Between two reads, ms: what is committed meanwhile goes together. */
const GATHER_MS = 10;
/** While nobody follows anything, ms. */
const IDLE_MS = 1000;
/** While something is being committed that what comes after has to wait for, ms. */
const SOON_MS = 20;
const LONGEST_SOON_MS = 500;
/** After an error: the database may be away, ms. */
const RETRY_MS = 1000;
/** Without any signal: one may have been lost, ms. */
const TICK_MS = 5000;

/**
 * Publishes what any node commits, as the store's feed tells it. Where one
 * process has the data, commits are published as they happen instead; here even
 * this node's own take the way over the table, because another's may come
 * before them in sequence and become visible only after.
 *
 * Woken by this node's commits and the others' signals, and by a tick as the
 * net under them. It keeps up with the store while nobody follows anything, so
 * that the first who does finds it close to now: a stream joins first and reads
 * the store after, so what it was not told it reads.
 */
export class LiveFeed {
  readonly #feed: FeedStore;
  readonly #live: Live;
  readonly #log: Logger;
  #position: LivePosition;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #page: Promise<unknown> | undefined;
  #again = false;
  #soonMs = SOON_MS;
  #stopped = false;
  #failed = false;

  /** @param position up to where everything is told already */
  constructor(options: { feed: FeedStore; live: Live; position: LivePosition; log: Logger }) {
    this.#feed = options.feed;
    this.#live = options.live;
    this.#position = options.position;
    this.#log = options.log;
  }

  start(): void {
    this.#readIn(0);
  }

  /** Something was committed, here or elsewhere. */
  wake(): void {
    if (this.#reading) this.#again = true;
    else this.#readIn(this.#isFollowed() ? GATHER_MS : IDLE_MS);
  }

  /** Resolves when the read under way is published: it may not know of new followers. */
  async published(): Promise<void> {
    await this.#page;
  }

  /** Goes on from a position of another history. */
  restart(position: LivePosition): void {
    this.#position = position;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#reading;
  }

  #isFollowed(): boolean {
    const { userIds, endpointKeys } = this.#live.watched();
    return userIds.length > 0 || endpointKeys.length > 0;
  }

  #readIn(ms: number): void {
    const dueAt = performance.now() + ms;
    if (this.#stopped || dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#reading = this.#read().then((nextMs) => {
        this.#reading = undefined;
        this.#readIn(this.#again ? Math.min(nextMs, GATHER_MS) : nextMs);
      });
    }, ms);
    this.#timer.unref();
  }

  /** When to read again, ms. */
  async #read(): Promise<number> {
    this.#again = false;
    try {
      for (;;) {
        const page = this.#publishPage();
        this.#page = page.catch(() => {});
        const items = await page;
        // Another history has begun meanwhile.
        if (!items) continue;
        this.#failed = false;
        if (items.more === 'now' && !this.#stopped) continue;
        if (items.more === 'soon') {
          this.#soonMs = Math.min(2 * this.#soonMs, LONGEST_SOON_MS);
          return this.#soonMs;
        }
        this.#soonMs = SOON_MS;
        return TICK_MS;
      }
    } catch (error) {
      if (!this.#failed) this.#log.warn('live streams wait for the database', { error });
      this.#failed = true;
      return RETRY_MS;
    }
  }

  /** Null, and nothing published, where another history has begun during the read. */
  async #publishPage(): Promise<FeedItems | null> {
    const from = this.#position;
    const items = await this.#feed.read(from, this.#live.watched(), PAGE);
    if (this.#position !== from) return null;
    this.#live.publishEvents(
      items.events.map((item) => ({ stored: true, response: null, ...item })),
    );
    this.#live.publishAttempts(items.attempts);
    this.#position = items.position;
    return items;
  }
}
