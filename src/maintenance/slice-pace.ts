import type { Clock } from '../core/runtime/runtime.ts';
import type { Held } from '../store/contract/upkeep.ts';
import { type PauseTerms, pauseAfter } from './pause-after.ts';
import type { WorkRate } from './work-rate.ts';

/** Below this much other work a second, background work counts as alone. */
const ALONE_PER_SECOND = 25;
/** How long a slice may hold the writer beside other work, ms. A capture waits that long. */
const HELD_BESIDE_MS = 2;
/** How long a slice may hold the writer alone, ms. The first capture after a calm waits that long. */
const HELD_ALONE_MS = 10;
/** How much the newest slice counts in the estimate of what a unit costs. */
const NEWEST_SHARE = 1 / 4;

export interface PaceTerms extends PauseTerms {
  /** The smallest slice, whatever it costs. */
  least: number;
  /** The largest slice beside other work. */
  mostBeside: number;
  /** The largest slice without other work. */
  mostAlone: number;
}

/**
 * Decides how large the next slice of background work is, and how long it waits. Other work goes
 * first.
 *
 * - Beside other work, a slice holds the writer for `HELD_BESIDE_MS`, by what earlier slices cost.
 *   `pauseAfter` decides on the pauses.
 * - Alone, slices are large and pauses short. Work that a flood delayed catches up.
 * - No slice is smaller than `least`, and no pause longer than `mostPauseMs`. So the work goes on
 *   under a flood that never ends.
 */
export class SlicePace {
  readonly #terms: PaceTerms;
  readonly #others: Pick<WorkRate, 'perSecond'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The estimate of how long one unit holds the writer, ms. Null before the first slice. */
  #unitMs: number | null = null;
  #tookMs = 0;

  constructor(
    terms: PaceTerms,
    others: Pick<WorkRate, 'perSecond'>,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.#terms = terms;
    this.#others = others;
    this.#clock = clock;
  }

  /** Runs a slice of at most `most` units, and measures it. */
  async run<T>(
    slice: (most: number) => Promise<T>,
    costOf: (done: T) => { units: number } & Held,
  ): Promise<T> {
    const startedAt = this.#clock.monotonic();
    const done = await slice(this.#most());
    this.#tookMs = this.#clock.monotonic() - startedAt;
    const { units, heldMs } = costOf(done);
    if (units > 0) this.#learn(heldMs / units);
    return done;
  }

  /** The pause after the last slice, ms. */
  pauseMs(): number {
    return pauseAfter(this.#tookMs, this.#others.perSecond, this.#terms);
  }

  #most(): number {
    const { least, mostBeside, mostAlone } = this.#terms;
    if (this.#unitMs === null) return least;
    const isAlone = this.#others.perSecond < ALONE_PER_SECOND;
    const [most, heldMs] = isAlone ? [mostAlone, HELD_ALONE_MS] : [mostBeside, HELD_BESIDE_MS];
    return Math.max(least, Math.min(most, Math.floor(heldMs / this.#unitMs)));
  }

  #learn(unitMs: number): void {
    this.#unitMs ??= unitMs;
    this.#unitMs += NEWEST_SHARE * (unitMs - this.#unitMs);
  }
}
