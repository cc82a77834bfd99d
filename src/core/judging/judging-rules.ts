import { EVERYTHING, readOrder } from '../order/order.ts';
import { orderKeyOf } from '../order/order-key.ts';
import { fitsRule } from '../rules/evaluate.ts';
import type { Filter } from '../rules/filter.ts';
import { regexSteps } from '../rules/regex-steps.ts';
import { type BodyType, RequestParts, type RuledRequest } from '../rules/request-parts.ts';
import { readRule } from '../rules/rule.ts';
import type { DestinationFilter, DroppedBy, Verdict } from '../rules/verdict.ts';
import { MOST_STEPS } from '../rules/work.ts';

interface Rule extends DroppedBy {
  filter: Filter;
}

interface Order {
  destinationKey: number;
  by: ReturnType<typeof readOrder>;
}

/** What rules say of a request. */
export type Judgement = Pick<Verdict, 'dropped' | 'orderKeys'>;

/** Filters and orders of destinations, ready to judge requests. */
export class JudgingRules {
  /** Steps of all regular expressions. */
  readonly regexSteps: number;
  readonly #rules: readonly Rule[];
  readonly #orders: readonly Order[];
  readonly #bodyType: BodyType;

  /** @param onUnreadable a newer program wrote the filter or the order, which counts for nothing */
  constructor(
    filters: readonly DestinationFilter[],
    bodyType: BodyType,
    onUnreadable: (filter: DestinationFilter, error: unknown) => void = () => {},
  ) {
    this.#bodyType = bodyType;
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
      if (orderBy === null) return [];
      return readable(one, () => ({ destinationKey, by: readOrder(orderBy) }));
    });
    this.regexSteps = this.#rules.reduce((sum, { filter }) => sum + regexSteps(filter), 0);
  }

  /** The parts of a request to judge it by: they are made once for all that look at them. */
  partsOf(request: RuledRequest, steps = MOST_STEPS): RequestParts {
    return new RequestParts(request, this.#bodyType, steps);
  }

  /** Throws `RuleTooCostly` past the steps of the parts. */
  judge(request: RuledRequest, parts = this.partsOf(request)): Judgement {
    const dropped = this.#rules.filter(({ filter }) => !fitsRule(filter, parts));
    return {
      dropped: dropped.map(({ destinationKey, ruleVersion }) => ({ destinationKey, ruleVersion })),
      orderKeys: this.#orders.flatMap(({ destinationKey, by }) => {
        const key = orderKeyOf(by, parts);
        return key === null ? [] : [{ destinationKey, key }];
      }),
    };
  }

  /** The judgement of a request that can't be judged: every destination gets it. */
  everywhere(): Judgement {
    const all = this.#orders.filter(({ by }) => by === EVERYTHING);
    return {
      dropped: [],
      orderKeys: all.map(({ destinationKey }) => ({ destinationKey, key: EVERYTHING })),
    };
  }
}
