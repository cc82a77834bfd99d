import { jsonEnd, NotJson, spaceEnd } from '../judging/json-end.ts';

/**
 * Whether bytes, which must be valid UTF-8, are one JSON text (RFC 8259).
 *
 * `JSON.parse` builds the values: 10 MiB of `[` takes it 4.7 s and much memory.
 */
export function isJson(bytes: Buffer): boolean {
  try {
    return spaceEnd(bytes, jsonEnd(bytes, 0)) === bytes.length;
  } catch (error) {
    if (error instanceof NotJson) return false;
    throw error;
  }
}
