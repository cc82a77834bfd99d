import { isUtf8 } from 'node:buffer';
import type { JsonPayload } from './payload.ts';

/** Larger bodies aren't read: 256 KiB take about 3 ms. */
const MAX_BYTES = 256 * 1024;
/** Whole numbers that are written with a point or an exponent, such as `1.0`, or a text with them. */
const WRITTEN_FRACTION = /(?:\.0+|\d[eE][+-]?\d+)\s*(?:[,\]}]|$)/;

/**
 * Stands for a number such as `1.0` or `1e3`. A double doesn't tell it from `1`, and
 * readers with integers (Go, Python) refuse it where they expect one.
 */
export const FRACTION = Symbol('a number with a point or an exponent');

/**
 * The JSON of a body. Undefined for a body that isn't JSON in UTF-8, that is larger than
 * 256 KiB, or too deep to read. Levels below `MAX_DEPTH` are read and not learned.
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

/** A reviver. `context.source` is ECMAScript's JSON.parse source text access. */
function markFractions(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) return value;
  return /[.eE]/.test(context?.source ?? '') ? FRACTION : value;
}
