/** Events a second that the learner reads while captures are many: captures go first. */
export const BUSY_PACE = 100;
/** Events a second that the learner reads otherwise. */
export const CALM_PACE = 2000;
/** Captures a second that count as many. */
const MANY_CAPTURES = 100;
/** Time over which captures are counted, ms. */
const WINDOW_MS = 1000;
/** Least time between two slices when no event is left, ms. Each slice costs a commit. */
const CAUGHT_UP_MS = 1000;

/** When the learner may read the next slice of events. Times are monotonic ms. */
export class LearningPace {
  #windowAt = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #beforeWindow = 0;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** Counts captures at `now`. */
  captured(events: number, now: number): void {
    this.#turn(now);
    this.#inWindow += events;
  }

  /** Counts a slice of `events` that ended at `now`. */
  learned(events: number, hasMore: boolean, now: number): void {
    this.#turn(now);
    const pace =
      Math.max(this.#inWindow, this.#beforeWindow) >= MANY_CAPTURES ? BUSY_PACE : CALM_PACE;
    const pauseMs = (1000 * events) / pace;
    this.#nextAt = now + (hasMore ? pauseMs : Math.max(pauseMs, CAUGHT_UP_MS));
  }

  /** Holds the next slice back for `ms`. */
  wait(ms: number, now: number): void {
    this.#nextAt = now + ms;
  }

  /** Time until the next slice, ms; 0 if it may begin. */
  dueIn(now: number): number {
    return Math.max(0, this.#nextAt - now);
  }

  #turn(now: number): void {
    const age = now - this.#windowAt;
    if (age < WINDOW_MS) return;
    this.#beforeWindow = age < 2 * WINDOW_MS ? this.#inWindow : 0;
    this.#inWindow = 0;
    this.#windowAt = now;
  }
}
