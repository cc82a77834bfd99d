import type { PartName } from '../rules/filter.ts';
import { readRequestPath } from '../rules/read-text.ts';
import { RuleSyntaxError } from '../rules/rule-syntax-error.ts';

/** Puts all deliveries of a destination into one order. */
export const EVERYTHING = '*';

/** The path of the value that orders deliveries. */
export interface OrderPath {
  part: PartName;
  steps: (string | number)[];
}

/** Reads `order_by`: `*`, or the path to one value in the request. Throws `RuleSyntaxError`. */
export function readOrder(orderBy: string): typeof EVERYTHING | OrderPath {
  if (orderBy === EVERYTHING) return EVERYTHING;
  const [part, ...rest] = readRequestPath(orderBy);
  const steps = rest.filter((step) => typeof step !== 'symbol');
  if (steps.length < rest.length) {
    throw new RuleSyntaxError('expected a path to one value, without [*] and [$index]', 0);
  }
  return { part: part as PartName, steps };
}
