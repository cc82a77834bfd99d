import * as v from 'valibot';
import { readOrder } from '../judging/order.ts';
import { syntaxCheck } from './syntax-check.ts';

const MOST_CHARACTERS = 500;

/** Checks an `order_by`: `*`, or the path to the value that orders deliveries. */
export function orderSchema(description: string) {
  return v.pipe(
    v.string('must be * or a path, such as body.customer.id'),
    v.trim(),
    v.maxLength(MOST_CHARACTERS, `must be at most ${MOST_CHARACTERS} characters`),
    syntaxCheck((text) => {
      readOrder(text);
      return null;
    }),
    v.metadata({ description, examples: ['body.customer.id'], format: 'hookrelay-order' }),
  );
}
