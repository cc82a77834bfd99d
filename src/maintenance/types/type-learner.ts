import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import { BackgroundLoop } from '../background-loop.ts';
import { type LearnedSlice, type LearningStores, learnSlice } from './learn-slice.ts';
import { LearningPace } from './learning-pace.ts';
import { LARGEST_BODY_BYTES, type LearningThread, NotLearned } from './learning-thread.ts';

/** How many events one slice reads at most. */
const SLICE_EVENTS = 200;
/** A slice ends when its bodies have this size together, bytes. */
const SLICE_BYTES = 1024 * 1024;
/** Interval of slices without a capture, ms. Other nodes may have captured events. */
const EVERY_MS = 10_000;
/** How long the learner pauses if another node has learned the same slice, ms. */
const LEAVE_TO_OTHERS_MS = 10_000;
/** How long the learner lets work that people wait for go first, at most, ms. */
const YIELD_MS = 10_000;
/** How often the learner checks whether such work still waits, ms. */
const POLL_EVERY_MS = 100;
/** Pause after an error of the store, ms. Captures don't wake the learner during it. */
const RETRY_MS = 10_000;

export interface TypeLearnerOptions extends LearningStores {
  thread: LearningThread;
  clock: Clock;
  log: Logger;
  /** Shows whether work of accounts waits for its turn. Such work goes before the learner's. */
  cpu: Pick<CpuUse, 'anyWaits'>;
  /** Whether other nodes may learn too. */
  hasNodes: boolean;
}

/**
 * Learns the types of events. This is not part of a capture, so captures don't wait for it. The
 * learner reads events slice by slice, in the order of their numbers.
 *
 * If the thread fails on a slice, the learner reads half as many events the next time. So it finds
 * the one event that makes the thread fail, and skips that event.
 */
export class TypeLearner extends BackgroundLoop {
  readonly #options: TypeLearnerOptions;
  readonly #pace = new LearningPace();
  #most = SLICE_EVENTS;
  /** When the learner began to let others go first, monotonic ms. Null while it doesn't. */
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

  /** Returns whether other work goes first. It does so for `YIELD_MS` at most. */
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
