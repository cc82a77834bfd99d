import { inspect } from 'node:util';

/** Returns any value as text on one line. */
export function oneLine(value: unknown): string {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 3 });
}
