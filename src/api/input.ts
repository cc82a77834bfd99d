import * as v from 'valibot';
import { type FieldError, HookrelayError } from '../core/errors.ts';
import { parseDocument } from '../core/rules/document.ts';
import { invalidInput } from './invalid-input.ts';

/** Checks an input against its schema. Throws `invalid_input` with one issue for each field. */
export function parseInput<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (result.success) return result.output;
  const issues = result.issues.map(
    (issue): FieldError => ({ path: v.getDotPath(issue) ?? '', message: issue.message }),
  );
  throw invalidInput(issues);
}

/**
 * Parses a JSON body. An empty body counts as `{}`. Rules keep every digit of their
 * numbers. Throws `invalid_json`, and `invalid_input` for a list.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  const value = documentOf(body);
  // A list has members such as `filter`, which a schema would take for fields.
  if (Array.isArray(value)) {
    throw new HookrelayError('invalid_input', 'the body must be an object', {
      issues: [{ path: '', message: 'must be an object' }],
    });
  }
  return value;
}

function documentOf(body: Buffer): unknown {
  try {
    return parseDocument(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw new HookrelayError('invalid_json', `the body is not JSON: ${reason}`);
  }
}

/** A query as an object. Empty values (`q=`) count as absent. The last value of a name wins. */
export function queryOf(target: string): Record<string, string> {
  const at = target.indexOf('?');
  if (at === -1) return {};
  const pairs = [...new URLSearchParams(target.slice(at + 1))].filter(([, value]) => value !== '');
  return Object.fromEntries(pairs);
}
