import { jsonEnd, NotJson, spaceEnd } from '../judging/json-end.ts';

/**
 * Returns whether bytes are one JSON text (RFC 8259). The bytes must be valid UTF-8.
 *
 * This doesn't use `JSON.parse`, which builds the values: for 10 MiB of `[` it needs 4.7 s and much
 * memory.
 */
export function isJson(bytes: Buffer): boolean {
  try {
    return spaceEnd(bytes, jsonEnd(bytes, 0)) === bytes.length;
  } catch (error) {
    if (error instanceof NotJson) return false;
    throw error;
  }
}
