import { isUtf8 } from 'node:buffer';
import type { JsonPayload } from './payload.ts';

/** The largest body that is read, bytes. 256 KiB take about 3 ms. */
const MAX_BYTES = 256 * 1024;
/** Matches a whole number with a point or an exponent (`1.0`). May also match inside a string. */
const WRITTEN_FRACTION = /(?:\.0+|\d[eE][+-]?\d+)\s*(?:[,\]}]|$)/;

/**
 * Represents a number such as `1.0` or `1e3`. JavaScript can't distinguish `1.0` from `1`, but Go
 * and Python refuse `1.0` as an integer.
 */
const FRACTION = Symbol('a number with a point or an exponent');

/**
 * Parses a body. Returns undefined if the body is too large, nested too deep, or not JSON in UTF-8.
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
 * Revives numbers for `JSON.parse`. `context.source` is the number as written (ECMAScript,
 * "JSON.parse source text access").
 */
function markFractions(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) return value;
  return /[.eE]/.test(context?.source ?? '') ? FRACTION : value;
}
