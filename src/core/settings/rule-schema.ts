import * as v from 'valibot';
import type { Value } from '../rules/document.ts';
import { PARTS } from '../rules/filter.ts';
import { RuleIssues } from '../rules/read-json.ts';
import { checkedSource } from '../rules/rule.ts';

/** What a JSON Schema can say of the JSON form: a rule's members, not what they take. */
const JSON_FORM = {
  type: 'object',
  properties: Object.fromEntries([...PARTS, '$and', '$or', '$not'].map((name) => [name, {}])),
  additionalProperties: false,
};

/** A rule in either form. The output is its source. */
export function ruleSchema(description: string, example: string) {
  return v.pipe(
    v.union(
      [
        v.pipe(v.string(), v.metadata({ format: 'hookrelay-rule' })),
        v.pipe(v.custom<object>(isObject), v.metadata(JSON_FORM)),
      ],
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

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathItem(input: unknown, key: string): v.UnknownPathItem {
  return { type: 'unknown', origin: 'value', input, key, value: undefined };
}
