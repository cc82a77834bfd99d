import * as v from 'valibot';
import { readOrder } from '../judging/order.ts';
import { RuleSyntaxError } from '../rules/rule-syntax-error.ts';

const MOST_CHARACTERS = 500;

/** By what deliveries are ordered: `*`, or a path in the request. */
export function orderSchema(description: string) {
  return v.pipe(
    v.string('must be * or a path, such as body.customer.id'),
    v.trim(),
    v.maxLength(MOST_CHARACTERS, `must be at most ${MOST_CHARACTERS} characters`),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      try {
        readOrder(dataset.value);
      } catch (error) {
        if (!(error instanceof RuleSyntaxError)) throw error;
        addIssue({ message: error.message });
      }
    }),
    v.metadata({ description, examples: ['body.customer.id'], format: 'hookrelay-order' }),
  );
}
