import { type Judgement, JudgingRules } from '../../../core/judging/judging-rules.ts';
import type { UnjudgedReason } from '../../../core/judging/unjudged.ts';
import type { RuledRequest } from '../../../core/rules/request-parts.ts';
import type { DestinationFilter, OrderKey } from '../../../core/rules/verdict.ts';
import { RuleTooCostly } from '../../../core/rules/work.ts';
import { bodyType } from '../../../providers/body-type.ts';

/** What the filters and orders of now say of a stored event. */
export interface ReplayVerdict {
  /** Keys of destinations whose filter the event doesn't fit. */
  dropped: number[];
  orderKeys: readonly OrderKey[];
  /** Why it couldn't be judged; null where it was. */
  unjudged: UnjudgedReason | null;
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

  /** An event that takes too much to judge is judged as far as it can be, as at its capture. */
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
