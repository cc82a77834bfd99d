import { HookrelayError } from '../../core/errors.ts';
import { jsonBody } from './json-body.ts';

type JsonObject = Record<string, unknown>;

/**
 * A body whose JSON object is changed, printed on one line. Throws `config_invalid` for any
 * other body.
 *
 * @param place where the proof goes, for the error
 */
export function stampedBody(
  body: Buffer,
  place: string,
  change: (object: JsonObject) => JsonObject,
): Buffer {
  const parsed = jsonBody(body);
  if (!isObject(parsed)) {
    throw new HookrelayError(
      'config_invalid',
      `the proof stands in ${place}, so the body must be a JSON object`,
    );
  }
  return Buffer.from(JSON.stringify(change(parsed)));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none for any other value. */
export function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
