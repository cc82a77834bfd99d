import { fitsRule } from '../rules/evaluate.ts';
import type { Filter } from '../rules/filter.ts';
import { regexSteps } from '../rules/regex-steps.ts';
import { type BodyType, RequestParts, type RuledRequest } from '../rules/request-parts.ts';
import { readRule } from '../rules/rule.ts';
import type { DestinationFilter, DroppedBy, Verdict } from '../rules/verdict.ts';
import { MOST_STEPS, RuleTooCostly, Work } from '../rules/work.ts';
import { readerAt, unreadable } from './body-reader.ts';
import { EVERYTHING, readOrder } from './order.ts';
import { orderKeyOf } from './order-key.ts';
import type { UnjudgedReason } from './unjudged.ts';

interface Rule extends DroppedBy {
  filter: Filter;
}

interface Order {
  destinationKey: number;
  by: ReturnType<typeof readOrder>;
}

/** What rules say of a request. */
export type Judgement = Pick<Verdict, 'dropped' | 'orderKeys' | 'unjudged'>;
export type Dropped = Omit<Judgement, 'orderKeys'>;
export type Ordered = Omit<Judgement, 'dropped'>;

/** Filters and orders of destinations, ready to judge requests. */
export class JudgingRules {
  /** Steps of all regular expressions. */
  readonly regexSteps: number;
  /** Whether an order looks into the body. */
  readonly ordersByBody: boolean;
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
    this.ordersByBody = this.#orders.some(
      ({ by }) => by !== EVERYTHING && (by.part === 'body' || by.part === 'form'),
    );
  }

  /** The parts of a request to judge it by: they are made once for all that look at them. */
  partsOf(request: RuledRequest, steps = MOST_STEPS): RequestParts {
    return new RequestParts(request, this.#bodyType, steps);
  }

  /** The parts of a request whose body can't be read. */
  partsWithoutBody(request: RuledRequest, reason: UnjudgedReason): RequestParts {
    return new RequestParts(request, this.#bodyType, MOST_STEPS, unreadable(reason));
  }

  /** Throws `RuleTooCostly` past the steps of the parts, and for a body that has too many values. */
  judge(parts: RequestParts): Judgement {
    return { ...this.orderKeys(parts), ...this.dropped(parts) };
  }

  /** Judges a request that is too costly to judge as far as that can be. */
  judgeApart(request: RuledRequest, parts: RequestParts): Judgement {
    const ordered = this.orderKeysApart(request);
    const { dropped, unjudged } = this.droppedApart(parts);
    return { ...ordered, dropped, unjudged: unjudged ?? ordered.unjudged };
  }

  /** Throws like `judge`. */
  dropped(parts: RequestParts): Dropped {
    const dropped = this.#rules.filter(({ filter }) => !fitsRule(filter, parts));
    return { dropped: dropped.map(droppedBy), unjudged: null };
  }

  /** Each filter by itself, with its share of the steps. One that can't be judged lets the request pass. */
  droppedApart(parts: RequestParts): Dropped {
    const get = parts.get.bind(parts);
    const steps = MOST_STEPS / this.#rules.length;
    const tries = new Tries();
    const dropped = this.#rules.filter(({ filter }) =>
      tries.run(() => !fitsRule(filter, { get, work: new Work(steps) }), false),
    );
    return { dropped: dropped.map(droppedBy), unjudged: tries.unjudged };
  }

  /** Throws like `judge`. */
  orderKeys(parts: RequestParts): Ordered {
    return { orderKeys: this.#orderKeys((by) => orderKeyOf(by, parts)), unjudged: null };
  }

  /**
   * Order keys, read apart from filters. Where even that isn't possible, the delivery is in
   * the order of everything.
   */
  orderKeysApart(request: RuledRequest): Ordered {
    const paths = this.#orders.flatMap(({ by }) =>
      by !== EVERYTHING && by.part === 'body' ? [by.steps] : [],
    );
    const parts = new RequestParts(request, this.#bodyType, MOST_STEPS, readerAt(paths));
    const tries = new Tries();
    const orderKeys = this.#orderKeys((by) => tries.run(() => orderKeyOf(by, parts), EVERYTHING));
    return { orderKeys, unjudged: tries.unjudged };
  }

  #orderKeys(keyOf: (by: Order['by']) => string | null): Judgement['orderKeys'] {
    return this.#orders.flatMap(({ destinationKey, by }) => {
      const key = keyOf(by);
      return key === null ? [] : [{ destinationKey, key }];
    });
  }
}

function droppedBy({ destinationKey, ruleVersion }: Rule): DroppedBy {
  return { destinationKey, ruleVersion };
}

/** Runs what may be too costly, and notes why it was. */
class Tries {
  unjudged: UnjudgedReason | null = null;

  run<T>(judge: () => T, otherwise: T): T {
    try {
      return judge();
    } catch (error) {
      if (!(error instanceof RuleTooCostly)) throw error;
      this.unjudged = error.reason;
      return otherwise;
    }
  }
}
