import { fitsRule } from '../core/rules/evaluate.ts';
import type { Filter } from '../core/rules/filter.ts';
import { regexSteps } from '../core/rules/regex-steps.ts';
import { RequestParts, type RuledRequest } from '../core/rules/request-parts.ts';
import { readRule } from '../core/rules/rule.ts';
import type {
  DestinationFilter,
  DroppedBy,
  EndpointFilters,
  Verdict,
} from '../core/rules/verdict.ts';
import { MOST_STEPS } from '../core/rules/work.ts';
import { bodyType } from '../providers/body-type.ts';

interface Rule extends DroppedBy {
  filter: Filter;
}

/** An endpoint's filters of one version, ready to judge requests. */
export class EndpointRules {
  readonly version: number;
  /** Steps of all regular expressions. */
  readonly regexSteps: number;
  readonly #rules: readonly Rule[];

  /** @param onUnreadable a newer program wrote the filter: every request passes it */
  constructor(
    { version, filters }: EndpointFilters,
    onUnreadable: (filter: DestinationFilter, error: unknown) => void = () => {},
  ) {
    this.version = version;
    this.#rules = filters.flatMap((one) => {
      const { filter, ...rule } = one;
      try {
        return [{ ...rule, filter: readRule(filter) }];
      } catch (error) {
        onUnreadable(one, error);
        return [];
      }
    });
    this.regexSteps = this.#rules.reduce((sum, { filter }) => sum + regexSteps(filter), 0);
  }

  /** Throws `RuleTooCostly` past `steps`. */
  judge(request: RuledRequest, steps = MOST_STEPS): Verdict {
    const parts = new RequestParts(request, bodyType, steps);
    const dropped = this.#rules.filter(({ filter }) => !fitsRule(filter, parts));
    return {
      version: this.version,
      dropped: dropped.map(({ destinationKey, ruleVersion }) => ({ destinationKey, ruleVersion })),
    };
  }
}
