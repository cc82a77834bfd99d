import { isUtf8 } from 'node:buffer';
import type { JsonPayload } from './payload.ts';

/** How large a body may be. Larger ones are ignored. 256 KiB take about 3 ms. */
const MAX_BYTES = 256 * 1024;
/** Matches a whole number with a point or an exponent (`1.0`). May also match inside a string. */
const WRITTEN_FRACTION = /(?:\.0+|\d[eE][+-]?\d+)\s*(?:[,\]}]|$)/;

/**
 * Stands for a number such as `1.0` or `1e3`. JavaScript can't tell `1.0` from `1`, but Go and
 * Python refuse `1.0` where they expect an integer.
 */
const FRACTION = Symbol('a number with a point or an exponent');

/**
 * Parses a body. Returns undefined if it isn't JSON in UTF-8, is larger than 256 KiB, or is nested
 * too deep for the parser.
 */
export function readPayload(bytes: Uint8Array): JsonPayload | undefined {
  if (bytes.length === 0 || bytes.length > MAX_BYTES) return undefined;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(body)) return undefined;
  const text = body.toString('utf8');
  // JSON parsers refuse a byte order mark.
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    const value: unknown = WRITTEN_FRACTION.test(json)
      ? JSON.parse(json, markFractions)
      : JSON.parse(json);
    return { value };
  } catch {
    return undefined;
  }
}

/**
 * A reviver for `JSON.parse`. `context.source` is the number as written (ECMAScript's "JSON.parse
 * source text access").
 */
function markFractions(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) return value;
  return /[.eE]/.test(context?.source ?? '') ? FRACTION : value;
}
