import * as v from 'valibot';
import type { Value } from '../rules/document.ts';
import { PARTS } from '../rules/filter.ts';
import { RuleFieldErrors } from '../rules/read-json.ts';
import { checkedSource, type RuleSource } from '../rules/rule.ts';
import { isObject } from './is-object.ts';

/** JSON Schema can describe only the top members of the JSON form. */
const JSON_FORM = {
  type: 'object',
  properties: Object.fromEntries([...PARTS, '$and', '$or', '$not'].map((name) => [name, {}])),
  additionalProperties: false,
};

const TEXT_FORM = { format: 'hookrelay-rule' };

/** Checks a rule: a text in either form, or an object. The output is its source. */
export function ruleSchema(description: string, example: string) {
  return v.pipe(
    v.union(
      [
        v.pipe(v.string(), v.metadata(TEXT_FORM)),
        v.pipe(v.custom<object>(isObject), v.metadata(JSON_FORM)),
      ],
      'must be a rule: text such as body.type=invoice.paid, or an object such as {"body": {"type": "invoice.paid"}}',
    ),
    v.metadata({ description, examples: [example] }),
    toSource(),
  );
}

/** Checks a rule in a query: a text in either form. The output is its source. */
export function ruleTextSchema(description: string, example: string) {
  return v.pipe(
    v.string('must be a rule, such as body.type=invoice.paid'),
    v.metadata({ ...TEXT_FORM, description, examples: [example] }),
    toSource(),
  );
}

function toSource<T extends string | object>() {
  return v.rawTransform<T, RuleSource>(({ dataset, addIssue, NEVER }) => {
    try {
      return checkedSource(dataset.value as Value);
    } catch (error) {
      if (!(error instanceof RuleFieldErrors)) throw error;
      for (const { path, message } of error.issues) {
        addIssue({ message, ...(path && { path: [pathItem(dataset.value, path)] }) });
      }
      return NEVER;
    }
  });
}

function pathItem(input: unknown, key: string): v.UnknownPathItem {
  return { type: 'unknown', origin: 'value', input, key, value: undefined };
}
