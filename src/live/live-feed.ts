import type { Logger } from '../core/runtime/runtime.ts';
import type { FeedItems, FeedStore } from '../store/contract/cluster.ts';
import type { LivePosition } from '../store/contract/live.ts';
import type { Live } from './live.ts';

/** Most items of one read. */
const PAGE = 500;
/** Delay of a read after a commit, ms: commits within it share one read. */
const GATHER_MS = 10;
/** Delay of a read after a commit without subscribers, ms. */
const IDLE_MS = 1000;
/** Base delay while an open transaction holds back later items, ms. Each read doubles it. */
const SOON_MS = 20;
/** Longest such delay, ms. */
const LONGEST_SOON_MS = 500;
/** Delay after an error, ms: the database may be unreachable. */
const RETRY_MS = 1000;
/** Longest delay without a signal, ms: a signal may be lost. */
const TICK_MS = 5000;

/**
 * Publishes the commits of all nodes in the order of the store's feed. This node
 * reads its own commits from the table too: another node's commit may precede
 * them in sequence and become visible later. With one process, `Live` gets each
 * commit directly and needs no feed.
 *
 * Commits of this node, signals of other nodes and a tick wake the feed. The tick
 * covers lost signals. The feed also follows the store without subscribers, so a
 * new one finds it close to the present. A stream subscribes first and then reads
 * the store, which has all items that the feed published before.
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

  /** @param position the last position that is published already */
  constructor(options: { feed: FeedStore; live: Live; position: LivePosition; log: Logger }) {
    this.#feed = options.feed;
    this.#live = options.live;
    this.#position = options.position;
    this.#log = options.log;
  }

  start(): void {
    this.#readIn(0);
  }

  /** A node has committed. */
  wake(): void {
    if (this.#reading) this.#again = true;
    else this.#readIn(this.#isFollowed() ? GATHER_MS : IDLE_MS);
  }

  /** Resolves when the read under way is published: it may miss new subscribers. */
  async published(): Promise<void> {
    await this.#page;
  }

  /** Continues from a position of another history. */
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

  /** Reads and publishes. Returns the delay until the next read, ms. */
  async #read(): Promise<number> {
    this.#again = false;
    try {
      for (;;) {
        const page = this.#publishPage();
        this.#page = page.catch(() => {});
        const items = await page;
        // Another history began during the read.
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

  /** Publishes a page. Returns null, and publishes nothing, if another history began meanwhile. */
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
