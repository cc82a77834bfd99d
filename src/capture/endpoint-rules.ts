import { EVERYTHING, readOrder } from '../core/order/order.ts';
import { orderKeyOf } from '../core/order/order-key.ts';
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

interface Order {
  destinationKey: number;
  by: ReturnType<typeof readOrder>;
}

/** An endpoint's filters and orders of one version, ready to judge requests. */
export class EndpointRules {
  readonly version: number;
  /** Steps of all regular expressions. */
  readonly regexSteps: number;
  readonly #rules: readonly Rule[];
  readonly #orders: readonly Order[];

  /** @param onUnreadable a newer program wrote the filter or the order, which counts for nothing */
  constructor(
    { version, filters }: EndpointFilters,
    onUnreadable: (filter: DestinationFilter, error: unknown) => void = () => {},
  ) {
    this.version = version;
    const readable = <T>(one: DestinationFilter, read: () => T): T[] => {
      try {
        return [read()];
      } catch (error) {
        onUnreadable(one, error);
        return [];
      }
    };
    this.#rules = filters.flatMap((one) => {
      const { filter, destinationKey, ruleVersion } = one;
      if (filter === null) return [];
      return readable(one, () => ({ destinationKey, ruleVersion, filter: readRule(filter) }));
    });
    this.#orders = filters.flatMap((one) => {
      const { orderBy, destinationKey } = one;
      return orderBy === null
        ? []
        : readable(one, () => ({ destinationKey, by: readOrder(orderBy) }));
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
      orderKeys: this.#orders.flatMap(({ destinationKey, by }) => {
        const key = orderKeyOf(by, parts);
        return key === null ? [] : [{ destinationKey, key }];
      }),
    };
  }

  /** The verdict on a request that can't be judged: every destination gets it. */
  everywhere(): Verdict {
    const all = this.#orders.filter(({ by }) => by === EVERYTHING);
    return {
      version: this.version,
      dropped: [],
      orderKeys: all.map(({ destinationKey }) => ({ destinationKey, key: EVERYTHING })),
    };
  }
}
