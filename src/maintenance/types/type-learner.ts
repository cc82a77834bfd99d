import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import { BackgroundLoop } from '../background-loop.ts';
import { pauseAfter } from '../pause-after.ts';
import type { WorkRate } from '../work-rate.ts';
import { type LearnedSlice, type LearningStores, learnSlice } from './learn-slice.ts';
import { LARGEST_BODY_BYTES, type LearningThread, NotLearned } from './learning-thread.ts';

const SLICE_EVENTS = 200;
/** Under a flood of captures, the learner still reads about 100 events a second. */
const PAUSES = { pauseTimes: 12, leastPauseMs: 100, mostPauseMs: 2000 };
/** The shortest time between two slices if no event is left, ms. Each slice costs a commit. */
const CAUGHT_UP_MS = 1000;
/** The size of its bodies at which a slice ends, bytes. */
const SLICE_BYTES = 1024 * 1024;
/** The interval between slices without a capture, ms. Other nodes may have captured events. */
const EVERY_MS = 10_000;
/** Pause after another node learned the same slice, ms. */
const LEAVE_TO_OTHERS_MS = 10_000;
/** The longest time that the learner waits for accounts' work, ms. */
const YIELD_MS = 10_000;
/** The interval of checks for such work, ms. */
const POLL_EVERY_MS = 100;
/** Pause after an error of the store, ms. Captures don't wake the learner during it. */
const RETRY_MS = 10_000;

export interface TypeLearnerOptions extends LearningStores {
  thread: LearningThread;
  clock: Clock;
  log: Logger;
  /** The captures and deliveries that go first. */
  others: WorkRate;
  /** Whether work of accounts waits. Such work goes before the learner's. */
  cpu: Pick<CpuUse, 'anyWaits'>;
  hasNodes: boolean;
}

/**
 * Learns the types of events, in the order of their numbers. Captures don't wait for it.
 *
 * If the thread fails on a slice, the learner halves the next slice. So it finds the one event that
 * makes the thread fail, and skips that event.
 */
export class TypeLearner extends BackgroundLoop {
  readonly #options: TypeLearnerOptions;
  /** When the next slice may begin, monotonic ms. */
  #nextAt = Number.NEGATIVE_INFINITY;
  #most = SLICE_EVENTS;
  /** When the learner began to wait for accounts' work, monotonic ms; null if it doesn't wait. */
  #yieldsSince: number | null = null;

  constructor(options: TypeLearnerOptions) {
    super({
      name: 'learning types',
      log: options.log,
      everyMs: EVERY_MS,
      slice: () => this.#slice(),
    });
    this.#options = options;
  }

  onCaptured(): void {
    this.#schedule();
  }

  #schedule(): void {
    this.wakeIn(this.#dueIn());
  }

  /** The time until the next slice may begin, ms; 0 if it may begin at once. */
  #dueIn(): number {
    return Math.max(0, this.#nextAt - this.#options.clock.monotonic());
  }

  #wait(ms: number): void {
    this.#nextAt = this.#options.clock.monotonic() + ms;
  }

  /** Returns false, because a timer starts the next slice. */
  async #slice(): Promise<false> {
    if (this.#dueIn() > 0) {
      this.#schedule();
      return false;
    }
    if (this.#yields()) {
      this.#wait(POLL_EVERY_MS);
      this.#schedule();
      return false;
    }
    const { clock, others } = this.#options;
    const startedAt = clock.monotonic();
    const { hasMore, isSaved } = await this.#readAndLearn();
    const pauseMs = pauseAfter(clock.monotonic() - startedAt, others.perSecond, PAUSES);
    this.#wait(hasMore || !isSaved ? pauseMs : Math.max(pauseMs, CAUGHT_UP_MS));
    if (!isSaved && this.#options.hasNodes) this.#wait(LEAVE_TO_OTHERS_MS);
    if (hasMore || !isSaved) this.#schedule();
    return false;
  }

  async #readAndLearn(): Promise<{ hasMore: boolean; isSaved: boolean }> {
    const { types } = this.#options;
    const most = this.#most;
    const before = await types.learnedTo();
    const { events, scannedTo: after } = await types.toLearn(before, {
      most,
      bytes: SLICE_BYTES,
      largest: LARGEST_BODY_BYTES,
    });
    const bytes = events.reduce((sum, { body }) => sum + body.length, 0);
    // Numbers have gaps, so the next slice may be empty.
    const hasMore = after - before >= most || bytes >= SLICE_BYTES;
    const isSaved = after === before || (await this.#learn({ before, events, after }, most));
    return { hasMore, isSaved };
  }

  /** Whether accounts' work goes first, for at most `YIELD_MS`. */
  #yields(): boolean {
    const now = this.#options.clock.monotonic();
    if (this.#options.cpu.anyWaits) {
      this.#yieldsSince ??= now;
      if (now - this.#yieldsSince < YIELD_MS) return true;
    }
    this.#yieldsSince = null;
    return false;
  }

  /** @param most the limit with which the slice was read */
  async #learn(slice: LearnedSlice, most: number): Promise<boolean> {
    const { thread, clock, log } = this.#options;
    try {
      const isSaved = await learnSlice(slice, this.#options, thread, clock.now());
      this.#most = Math.min(2 * most, SLICE_EVENTS);
      return isSaved;
    } catch (error) {
      if (!(error instanceof NotLearned)) {
        this.#wait(RETRY_MS);
        throw error;
      }
      this.#most = Math.max(1, Math.floor(most / 2));
      if (most > 1) return false;
      log.warn('an event was too much to learn from; its type is learned without it', {
        event: slice.events[0]?.id,
        error: error.cause,
      });
      return learnSlice({ ...slice, events: [] }, this.#options, thread, clock.now());
    }
  }
}
