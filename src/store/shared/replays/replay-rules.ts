import { EVERYTHING, readOrder } from '../../../core/order/order.ts';
import { orderKeyOf } from '../../../core/order/order-key.ts';
import { fitsRule } from '../../../core/rules/evaluate.ts';
import type { Filter } from '../../../core/rules/filter.ts';
import { RequestParts, type RuledRequest } from '../../../core/rules/request-parts.ts';
import { readRule } from '../../../core/rules/rule.ts';
import type { DestinationFilter, OrderKey } from '../../../core/rules/verdict.ts';
import { RuleTooCostly } from '../../../core/rules/work.ts';
import { bodyType } from '../../../providers/body-type.ts';

/** What the filters and orders of now say of a stored event. */
export interface ReplayVerdict {
  /** Keys of destinations whose filter the event doesn't fit. */
  dropped: number[];
  orderKeys: OrderKey[];
}

/** The first of some events, oldest first, without those that are gone. */
export interface JudgedEvents {
  verdicts: (ReplayVerdict & { seq: number })[];
  /** The last one that was judged in time; null where all were. */
  resumeAfter: number | null;
}

/** Filters and orders of destinations, ready to judge events that are replayed. */
export class ReplayRules {
  readonly #filters: { destinationKey: number; filter: Filter }[];
  readonly #orders: { destinationKey: number; by: ReturnType<typeof readOrder> }[];

  /** A filter or an order that a newer program wrote counts for nothing. */
  constructor(rules: readonly DestinationFilter[]) {
    this.#filters = rules.flatMap(({ destinationKey, filter }) =>
      filter === null ? [] : readable(() => ({ destinationKey, filter: readRule(filter) })),
    );
    this.#orders = rules.flatMap(({ destinationKey, orderBy }) =>
      orderBy === null ? [] : readable(() => ({ destinationKey, by: readOrder(orderBy) })),
    );
  }

  /** An event that takes too many steps to judge passes every filter, as at its capture. */
  judge(request: RuledRequest): ReplayVerdict {
    try {
      const parts = new RequestParts(request, bodyType);
      const dropped = this.#filters.filter(({ filter }) => !fitsRule(filter, parts));
      return {
        dropped: dropped.map(({ destinationKey }) => destinationKey),
        orderKeys: this.#orders.flatMap(({ destinationKey, by }) => {
          const key = orderKeyOf(by, parts);
          return key === null ? [] : [{ destinationKey, key }];
        }),
      };
    } catch (error) {
      if (!(error instanceof RuleTooCostly)) throw error;
      const all = this.#orders.filter(({ by }) => by === EVERYTHING);
      return {
        dropped: [],
        orderKeys: all.map(({ destinationKey }) => ({ destinationKey, key: EVERYTHING })),
      };
    }
  }
}

function readable<T>(read: () => T): T[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}
