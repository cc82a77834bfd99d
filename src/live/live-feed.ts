import type { Logger } from '../core/runtime/runtime.ts';
import type { FeedItems, FeedStore } from '../store/contract/cluster.ts';
import type { LivePosition } from '../store/contract/live.ts';
import type { Live } from './live.ts';

/** At most this many items in one read. */
const PAGE = 500;
/** Delay between a commit and its read, ms. Commits within this time share one read. */
const GATHER_MS = 10;
/** The delay between a commit and its read while there are no subscribers, ms. */
const IDLE_MS = 1000;
/** The first delay while an open transaction blocks later items, ms. Each such read doubles it. */
const SOON_MS = 20;
/** The longest doubled delay, ms. */
const LONGEST_SOON_MS = 500;
/** Delay after an error, ms. The database may be unreachable. */
const RETRY_MS = 1000;
/** The longest delay between two reads, ms. Another node's signal may be lost. */
const TICK_MS = 5000;

/**
 * Publishes the commits of all nodes in the order of the store's feed. Only a cluster needs the
 * feed: a single node passes each commit directly to `Live`.
 *
 * The feed reads even this node's own commits from the table. Another node's commit may have a
 * lower sequence number and become visible later. So only the table gives the order.
 *
 * The feed reads even without subscribers, so that its position stays close to the present. A new
 * stream first subscribes and then reads the store, so it misses nothing.
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

  /** @param position every item up to this position is already published */
  constructor(options: { feed: FeedStore; live: Live; position: LivePosition; log: Logger }) {
    this.#feed = options.feed;
    this.#live = options.live;
    this.#position = options.position;
    this.#log = options.log;
  }

  start(): void {
    this.#readIn(0);
  }

  /** Schedules a read. Called after a commit of any node. */
  wake(): void {
    if (this.#reading) this.#again = true;
    else this.#readIn(this.#isFollowed() ? GATHER_MS : IDLE_MS);
  }

  /**
   * Waits until the current read is published. If that read began before a subscriber came, the
   * read may omit the subscriber's items.
   */
  async published(): Promise<void> {
    await this.#page;
  }

  /** Continues from `position`. Called after a restore has replaced the data. */
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

  /** Reads and publishes until nothing more is ready. Returns the delay until the next read, ms. */
  async #read(): Promise<number> {
    this.#again = false;
    try {
      for (;;) {
        const page = this.#publishPage();
        this.#page = page.catch(() => {});
        const items = await page;
        // `restart` was called during the read.
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

  /** Publishes a page. If `restart` was called meanwhile, publishes nothing and returns null. */
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
