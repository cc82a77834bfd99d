import type { PartName } from '../rules/filter.ts';
import { readRequestPath } from '../rules/read-text.ts';
import { RuleSyntaxError } from '../rules/rule-syntax-error.ts';

/** Orders all deliveries of a destination, whatever their events hold. */
export const EVERYTHING = '*';

/** A value in a request by which deliveries are ordered. */
export interface OrderPath {
  part: PartName;
  steps: (string | number)[];
}

/**
 * Reads `order_by`: `*`, or the path of one value in the request. Throws
 * `RuleSyntaxError`.
 */
export function readOrder(orderBy: string): typeof EVERYTHING | OrderPath {
  if (orderBy === EVERYTHING) return EVERYTHING;
  const [part, ...rest] = readRequestPath(orderBy);
  const steps = rest.filter((step) => typeof step !== 'symbol');
  if (steps.length < rest.length) {
    throw new RuleSyntaxError('a path of one value is needed, without [*] and [$index]', 0);
  }
  return { part: part as PartName, steps };
}
