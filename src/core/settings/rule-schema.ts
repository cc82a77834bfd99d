import * as v from 'valibot';
import type { Value } from '../rules/document.ts';
import { RuleIssues } from '../rules/read-json.ts';
import { checkedSource } from '../rules/rule.ts';

/** A rule in either form. The output is its source. */
export function ruleSchema(description: string, example: string) {
  return v.pipe(
    v.union(
      [v.string(), v.record(v.string(), v.unknown())],
      'must be a rule: text such as body.type=invoice.paid, or an object such as {"body": {"type": "invoice.paid"}}',
    ),
    v.metadata({ description, examples: [example] }),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return checkedSource(dataset.value as Value);
      } catch (error) {
        if (!(error instanceof RuleIssues)) throw error;
        for (const { path, message } of error.issues) {
          addIssue({ message, ...(path && { path: [pathItem(dataset.value, path)] }) });
        }
        return NEVER;
      }
    }),
  );
}

function pathItem(input: unknown, key: string): v.UnknownPathItem {
  return { type: 'unknown', origin: 'value', input, key, value: undefined };
}
