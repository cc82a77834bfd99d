import { failsByMismatch, fitsRule, type Mismatch, type RuleParts } from '../rules/evaluate.ts';
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

/**
 * How many steps may tell whether a filter drops a request because of a value that an operator
 * can't take: few milliseconds.
 */
const STEPS_OF_MISMATCH = MOST_STEPS / 20;

interface Rule extends DroppedBy {
  filter: Filter;
}

interface Order {
  destinationKey: number;
  by: ReturnType<typeof readOrder>;
}

export type Judgement = Pick<Verdict, 'dropped' | 'orderKeys' | 'unjudged'>;
export type Dropped = Omit<Judgement, 'orderKeys'>;
export type Ordered = Omit<Judgement, 'dropped'>;

/** The filters and orders of an endpoint's destinations, ready to judge requests. */
export class JudgingRules {
  readonly regexSteps: number;
  readonly ordersByBody: boolean;
  readonly #rules: readonly Rule[];
  readonly #orders: readonly Order[];
  readonly #bodyType: BodyType;

  /**
   * @param onUnreadable called for a filter or an order of a newer version, which is then ignored
   */
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

  /** Returns the parts of a request. Filters and orders share them, so each part is read once. */
  partsOf(request: RuledRequest, steps = MOST_STEPS): RequestParts {
    return new RequestParts(request, this.#bodyType, steps);
  }

  /** Returns the parts of a request with an unreadable body. */
  partsWithoutBody(request: RuledRequest, reason: UnjudgedReason): RequestParts {
    return new RequestParts(request, this.#bodyType, MOST_STEPS, unreadable(reason));
  }

  /** Judges a request. Throws `RuleTooCostly` for too many steps or too many values in the body. */
  judge(parts: RequestParts): Judgement {
    return { ...this.orderKeys(parts), ...this.dropped(parts) };
  }

  /** Judges a request for which `judge` throws, as far as possible. */
  judgeApart(request: RuledRequest, parts: RequestParts): Judgement {
    const ordered = this.orderKeysApart(request);
    const { dropped, unjudged } = this.droppedApart(parts);
    return { ...ordered, dropped, unjudged: unjudged ?? ordered.unjudged };
  }

  /** Returns the destinations whose filters don't let the request pass. Throws like `judge`. */
  dropped(parts: RequestParts): Dropped {
    return { dropped: this.#rules.flatMap((rule) => dropsOf(rule, parts, parts)), unjudged: null };
  }

  /**
   * Judges by each filter separately, with an equal share of the steps. A filter that fails lets
   * the request pass.
   */
  droppedApart(parts: RequestParts): Dropped {
    const get = parts.get.bind(parts);
    const steps = MOST_STEPS / this.#rules.length;
    const tries = new Tries();
    const dropped = this.#rules.flatMap((rule) =>
      tries.run(() => dropsOf(rule, { get, work: new Work(steps) }, parts), []),
    );
    return { dropped, unjudged: tries.unjudged };
  }

  /** Returns the order keys of the request. Throws like `judge`. */
  orderKeys(parts: RequestParts): Ordered {
    return { orderKeys: this.#orderKeys((by) => orderKeyOf(by, parts)), unjudged: null };
  }

  /**
   * Reads the order keys without running the filters. If this fails too, the delivery gets the key
   * `EVERYTHING`.
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

/**
 * Returns the drop if the filter doesn't let the request pass. Throws `RuleTooCostly`.
 *
 * @param parts with the steps of this filter
 * @param read all parts of the request
 */
function dropsOf(rule: Rule, parts: RuleParts, read: RequestParts): DroppedBy[] {
  const { filter, destinationKey, ruleVersion } = rule;
  const mismatches: Mismatch[] = [];
  if (fitsRule(filter, parts, mismatches)) return [];
  const drop = { destinationKey, ruleVersion };
  const isUncomparable = mismatches.length > 0 && isByMismatch(filter, read);
  return [isUncomparable ? { ...drop, isUncomparable } : drop];
}

/**
 * Judges again, by the parts that are read already: a mismatch costs no parsing. Returns true if that
 * takes too many steps.
 */
function isByMismatch(filter: Filter, parts: RequestParts): boolean {
  try {
    return failsByMismatch(filter, parts.asRead(STEPS_OF_MISMATCH));
  } catch (error) {
    if (error instanceof RuleTooCostly) return true;
    throw error;
  }
}

/** Runs judgements and keeps the reason of the last one that was too costly. */
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
