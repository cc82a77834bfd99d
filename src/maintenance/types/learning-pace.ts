/** The events that the learner reads in a second during many captures. Captures go first. */
export const BUSY_PACE = 100;
/** The events that the learner reads in a second otherwise. */
export const CALM_PACE = 2000;
/** The captures in a second that count as many. */
const MANY_CAPTURES = 100;
/** The time over which captures are counted, ms. */
const WINDOW_MS = 1000;
/** The shortest time between two slices if no event is left, ms. Each slice costs a commit. */
const CAUGHT_UP_MS = 1000;

/** Decides when the learner may read the next slice. Times are monotonic ms. */
export class LearningPace {
  #windowAt = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #beforeWindow = 0;
  #nextAt = Number.NEGATIVE_INFINITY;

  captured(events: number, now: number): void {
    this.#turn(now);
    this.#inWindow += events;
  }

  /** Notes a slice of `events` that the learner finished at `now`. */
  learned(events: number, hasMore: boolean, now: number): void {
    this.#turn(now);
    const pace =
      Math.max(this.#inWindow, this.#beforeWindow) >= MANY_CAPTURES ? BUSY_PACE : CALM_PACE;
    const pauseMs = (1000 * events) / pace;
    this.#nextAt = now + (hasMore ? pauseMs : Math.max(pauseMs, CAUGHT_UP_MS));
  }

  /** Delays the next slice by `ms`. */
  wait(ms: number, now: number): void {
    this.#nextAt = now + ms;
  }

  /** Returns the time until the next slice may begin, ms; 0 if it may begin at once. */
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
