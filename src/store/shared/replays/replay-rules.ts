import { type Judgement, JudgingRules } from '../../../core/judging/judging-rules.ts';
import type { RuledRequest } from '../../../core/rules/request-parts.ts';
import type { DestinationFilter, OrderKey } from '../../../core/rules/verdict.ts';
import { RuleTooCostly } from '../../../core/rules/work.ts';
import { bodyType } from '../../../providers/body-type.ts';

/** What the filters and orders of now say of a stored event. */
export interface ReplayVerdict {
  /** Keys of destinations whose filter the event doesn't fit. */
  dropped: number[];
  orderKeys: readonly OrderKey[];
}

/** The first of some events, oldest first, without those that are gone. */
export interface JudgedEvents {
  verdicts: (ReplayVerdict & { seq: number })[];
  /** The last one that was judged in time; null where all were. */
  resumeAfter: number | null;
}

/** Filters and orders of destinations, ready to judge events that are replayed. */
export class ReplayRules {
  readonly #rules: JudgingRules;

  /** A filter or an order that a newer program wrote counts for nothing. */
  constructor(rules: readonly DestinationFilter[]) {
    this.#rules = new JudgingRules(rules, bodyType);
  }

  /** An event that takes too many steps to judge passes every filter, as at its capture. */
  judge(request: RuledRequest): ReplayVerdict {
    const { dropped, orderKeys } = this.#judgement(request);
    return { dropped: dropped.map(({ destinationKey }) => destinationKey), orderKeys };
  }

  #judgement(request: RuledRequest): Judgement {
    try {
      return this.#rules.judge(request);
    } catch (error) {
      if (!(error instanceof RuleTooCostly)) throw error;
      return this.#rules.everywhere();
    }
  }
}
