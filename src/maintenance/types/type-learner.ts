import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { CpuUse } from '../../core/turns/cpu-use.ts';
import { BackgroundLoop } from '../background-loop.ts';
import { type LearnedSlice, type LearningStores, learnSlice } from './learn-slice.ts';
import { LearningPace } from './learning-pace.ts';
import { type LearningThread, NotLearned } from './learning-thread.ts';

/** Events that one slice reads. */
const SLICE_EVENTS = 200;
/** A slice reads no further body once it has this much, bytes. */
const SLICE_BYTES = 1024 * 1024;
/** Larger bodies have no shape: parsing one takes longer than 3 ms. */
const LARGEST_BODY_BYTES = 256 * 1024;
/** Interval of slices without a capture, ms: other nodes may have left events. */
const EVERY_MS = 10_000;
/** How long this node leaves learning to another one that was faster, ms. */
const LEAVE_TO_OTHERS_MS = 10_000;
/** Longest that the learner leaves the processor to what people wait for, ms. */
const LEAVE_TO_PEOPLE_MS = 10_000;
/** Time between two looks at whether they wait, ms. */
const POLL_EVERY_MS = 100;
/** Delay after an error of the store, ms. Captures go on, and wake the learner. */
const RETRY_MS = 10_000;

export interface TypeLearnerOptions extends LearningStores {
  thread: LearningThread;
  clock: Clock;
  log: Logger;
  /** What of all accounts waits for its turn: it goes first. */
  cpu: Pick<CpuUse, 'anyWaits'>;
  /** Whether other nodes may learn too. */
  hasNodes: boolean;
}

/**
 * Learns the types of events, off the capture's path: it reads events in the order of their
 * numbers by a cursor, slice by slice.
 *
 * A slice that the thread can't learn is read again with half as many events. So the one
 * event that the thread dies of is found, and left out.
 */
export class TypeLearner extends BackgroundLoop {
  readonly #options: TypeLearnerOptions;
  readonly #pace = new LearningPace();
  #most = SLICE_EVENTS;
  /** When the learner began to leave the processor to others; null while it doesn't. */
  #leavesSince: number | null = null;

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

  /** A timer paces the slices, so none follows at once. */
  async #slice(): Promise<false> {
    const { types, clock } = this.#options;
    if (this.#pace.dueIn(clock.monotonic()) > 0) {
      this.#schedule();
      return false;
    }
    if (this.#leaves()) {
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

  /** Whether what people wait for goes first, for a while. */
  #leaves(): boolean {
    const now = this.#options.clock.monotonic();
    if (this.#options.cpu.anyWaits) {
      this.#leavesSince ??= now;
      if (now - this.#leavesSince < LEAVE_TO_PEOPLE_MS) return true;
    }
    this.#leavesSince = null;
    return false;
  }

  /** @param most rows that the slice was read with */
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
      log.warn('an event is left out of what is learned of its type', {
        event: slice.events[0]?.id,
        error: error.cause,
      });
      return learnSlice({ ...slice, events: [] }, this.#options, thread, clock.now());
    }
  }
}
