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
  /** Why the event couldn't be judged, or null if it was judged. */
  unjudged: UnjudgedReason | null;
}

/**
 * The verdicts on some events, oldest first. Deleted events and events beyond the time limit have
 * none.
 */
export interface JudgedEvents {
  verdicts: (ReplayVerdict & { seq: number })[];
  /** The sequence number of the last event judged in time. Null if all were. */
  resumeAfter: number | null;
}

export class ReplayRules {
  readonly #rules: JudgingRules;

  /** Ignores filters and orders that only a newer program understands. */
  constructor(rules: readonly DestinationFilter[]) {
    this.#rules = new JudgingRules(rules, bodyType);
  }

  /** Judges an event. If that takes too many steps, judges each rule separately, as captures do. */
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
