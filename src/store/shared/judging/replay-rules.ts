import { type Judgement, JudgingRules } from '../../../core/judging/judging-rules.ts';
import type { UnjudgedReason } from '../../../core/judging/unjudged.ts';
import type { RuledRequest } from '../../../core/rules/request-parts.ts';
import type { DestinationFilter, OrderKey } from '../../../core/rules/verdict.ts';
import { RuleTooCostly } from '../../../core/rules/work.ts';
import { bodyType } from '../../../providers/body-type.ts';

/** The verdict of the present filters and orders on a stored event. */
export interface ReplayVerdict {
  /** Keys of destinations whose filter the event doesn't fit. */
  dropped: number[];
  orderKeys: readonly OrderKey[];
  /** Why the event couldn't be judged; null if it was judged. */
  unjudged: UnjudgedReason | null;
}

/**
 * Verdicts on some events, oldest first. There are fewer if the time is over, and none for events
 * that are gone.
 */
export interface JudgedEvents {
  verdicts: (ReplayVerdict & { seq: number })[];
  /** The last event that was judged in time. Null if all events were. */
  resumeAfter: number | null;
}

/** Judges replayed events by filters and orders of destinations. */
export class ReplayRules {
  readonly #rules: JudgingRules;

  /** Ignores a filter or an order that a newer program wrote. */
  constructor(rules: readonly DestinationFilter[]) {
    this.#rules = new JudgingRules(rules, bodyType);
  }

  /** Judges an event. If that takes too many steps, judges it rule by rule, as its capture does. */
  judge(request: RuledRequest): ReplayVerdict {
    const { dropped, orderKeys, unjudged } = this.#judgement(request);
    const keys = dropped.map(({ destinationKey }) => destinationKey);
    return { dropped: keys, orderKeys, unjudged };
  }

  #judgement(request: RuledRequest): Judgement {
    const parts = this.#rules.partsOf(request);
    try {
      return this.#rules.judge(parts);
    } catch (error) {
      if (!(error instanceof RuleTooCostly)) throw error;
      return this.#rules.judgeApart(request, parts);
    }
  }
}
