import { HookrelayError } from '../../core/errors.ts';
import { type JsonObject, jsonObject } from './json-body.ts';

/**
 * Changes the JSON object of a body and prints it on one line. Throws `config_invalid` if the body
 * isn't a JSON object.
 *
 * @param place where the proof goes, for the error
 */
export function stampedBody(
  body: Buffer,
  place: string,
  change: (object: JsonObject) => JsonObject,
): Buffer {
  const object = jsonObject(body);
  if (object === null) {
    throw new HookrelayError(
      'config_invalid',
      `the proof stands in ${place}, so the body must be a JSON object`,
    );
  }
  return Buffer.from(JSON.stringify(change(object)));
}
