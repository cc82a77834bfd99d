import { fitsRule, type Mismatch } from '../../core/rules/evaluate.ts';
import type { Filter } from '../../core/rules/filter.ts';
import { RequestParts, type RuledRequest } from '../../core/rules/request-parts.ts';
import { type RuleSource, readRule } from '../../core/rules/rule.ts';
import { bodyType } from '../../providers/body-type.ts';

/** What rules say of a request. */
export interface RequestVerdict {
  /** Whether the request fits each rule. */
  fits: boolean[];
  /** Values that operators of the first rule can't take. */
  mismatches: Mismatch[];
}

/** Rules that are ready to judge stored requests. A missing rule fits every request. */
export class RequestRules {
  readonly #rules: readonly (Filter | null)[];

  constructor(sources: readonly (RuleSource | null)[]) {
    this.#rules = sources.map((source) => (source === null ? null : readRule(source)));
  }

  judge(request: RuledRequest): RequestVerdict {
    const parts = new RequestParts(request, bodyType);
    const mismatches: Mismatch[] = [];
    const fits = this.#rules.map(
      (rule, i) => rule === null || fitsRule(rule, parts, i === 0 ? mismatches : undefined),
    );
    return { fits, mismatches };
  }

  /** Whether the request fits the first rule and, where `type` isn't null, has that type. */
  fits(request: RuledRequest, type: string | null): boolean {
    const parts = new RequestParts(request, bodyType);
    const [rule = null] = this.#rules;
    return (
      (type === null || parts.get('type') === type) && (rule === null || fitsRule(rule, parts))
    );
  }
}

/** The event's type, from the headers or otherwise from the body. */
export function eventTypeOf(request: RuledRequest): string | null {
  const type = new RequestParts(request, bodyType).get('type');
  return typeof type === 'string' ? type : null;
}
