import type { UnjudgedReason } from '../judging/unjudged.ts';

/**
 * Steps of judging one request. A step is a condition on a value, an element that is
 * looked at, or some characters: two million take a tenth of a second.
 */
export const MOST_STEPS = 2_000_000;

const TOO_COSTLY: Record<UnjudgedReason, string> = {
  too_large: 'the body has too many values',
  too_slow: 'the rule takes too many steps on this event',
};

/** The body has too many values, or rule and body together take too many steps. */
export class RuleTooCostly extends Error {
  override readonly name = 'RuleTooCostly';
  readonly reason: UnjudgedReason;

  constructor(reason: UnjudgedReason = 'too_slow') {
    super(TOO_COSTLY[reason]);
    this.reason = reason;
  }
}

/** The steps that are left for one request, whatever the number of rules. */
export class Work {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Throws `RuleTooCostly`. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new RuleTooCostly();
  }
}
