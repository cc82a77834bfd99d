import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import { BackgroundLoop } from '../background-loop.ts';
import { type LearnedSlice, type LearningStores, learnSlice } from './learn-slice.ts';
import { LearningPace } from './learning-pace.ts';
import { LARGEST_BODY_BYTES, type LearningThread, NotLearned } from './learning-thread.ts';

const SLICE_EVENTS = 200;
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
  readonly #pace = new LearningPace();
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

  onCaptured(events: number): void {
    this.#pace.captured(events, this.#options.clock.monotonic());
    this.#schedule();
  }

  #schedule(): void {
    this.wakeIn(this.#pace.dueIn(this.#options.clock.monotonic()));
  }

  /** Returns false, because a timer starts the next slice. */
  async #slice(): Promise<false> {
    const { types, clock } = this.#options;
    if (this.#pace.dueIn(clock.monotonic()) > 0) {
      this.#schedule();
      return false;
    }
    if (this.#yields()) {
      this.#pace.wait(POLL_EVERY_MS, clock.monotonic());
      this.#schedule();
      return false;
    }
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
    this.#pace.learned(events.length, hasMore || !isSaved, clock.monotonic());
    if (!isSaved && this.#options.hasNodes) {
      this.#pace.wait(LEAVE_TO_OTHERS_MS, clock.monotonic());
    }
    if (hasMore || !isSaved) this.#schedule();
    return false;
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
        this.#pace.wait(RETRY_MS, clock.monotonic());
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
