import type { EventSummary } from '../../../core/model.ts';
import { fitsRule, type Mismatch } from '../../../core/rules/evaluate.ts';
import type { Filter } from '../../../core/rules/filter.ts';
import {
  MAX_TYPED_BODY_BYTES,
  RequestParts,
  type RuledRequest,
} from '../../../core/rules/request-parts.ts';
import { type RuleSource, readRule } from '../../../core/rules/rule.ts';
import { RuleTooCostly } from '../../../core/rules/work.ts';
import { bodyType, mayNameType } from '../../../providers/body-type.ts';

/** The verdict of rules on a request. */
export interface RequestVerdict {
  /** Whether the request fits each rule. All are true if judging takes too many steps. */
  fits: boolean[];
  isTooCostly: boolean;
  /** Values that the first rule's operators don't accept. */
  mismatches: Mismatch[];
}

/** Judges stored requests by rules. Every request fits a null rule. */
export class RequestRules {
  readonly #rules: readonly (Filter | null)[];

  constructor(sources: readonly (RuleSource | null)[]) {
    this.#rules = sources.map((source) => (source === null ? null : readRule(source)));
  }

  judge(request: RuledRequest): RequestVerdict {
    const mismatches: Mismatch[] = [];
    try {
      const parts = new RequestParts(request, bodyType);
      const fits = this.#rules.map(
        (rule, i) => rule === null || fitsRule(rule, parts, i === 0 ? mismatches : undefined),
      );
      return { fits, mismatches, isTooCostly: false };
    } catch (error) {
      if (!(error instanceof RuleTooCostly)) throw error;
      return { fits: this.#rules.map(() => true), mismatches: [], isTooCostly: true };
    }
  }

  /**
   * Returns whether the request fits the first rule and has the type. A null `type` allows any
   * type. Returns null if judging takes too many steps.
   */
  fits(request: RuledRequest, type: string | null): boolean | null {
    const [rule = null] = this.#rules;
    const parts = new RequestParts(request, bodyType);
    try {
      return (
        (type === null || parts.get('type') === type) && (rule === null || fitsRule(rule, parts))
      );
    } catch (error) {
      if (!(error instanceof RuleTooCostly)) throw error;
      return null;
    }
  }
}

/** Returns the event's type from the headers, otherwise from the body. */
export function eventTypeOf(request: RuledRequest): string | null {
  const type = new RequestParts(request, bodyType).get('type');
  return typeof type === 'string' ? type : null;
}

/** Returns whether the body may name the event's type. Captures don't parse bodies to find it. */
export function mayHaveTypeInBody({ eventType, provider, size }: EventSummary): boolean {
  return eventType === null && mayNameType(provider) && size <= MAX_TYPED_BODY_BYTES;
}
