import { createHash } from 'node:crypto';
import { isScalar, writeDocument } from '../rules/document.ts';
import { valueAt } from '../rules/path.ts';
import type { RequestParts } from '../rules/request-parts.ts';
import { EVERYTHING, type readOrder } from './order.ts';

/** The longest key that is stored as it is. Longer keys are hashed. */
const MOST_CHARACTERS = 200;

/**
 * Returns the order key of a delivery: the ordering value as JSON. So the text `1` and the number 1
 * are different keys. Null if the value is missing, null, an object or an array. Throws
 * `RuleTooCostly`.
 */
export function orderKeyOf(
  order: ReturnType<typeof readOrder>,
  parts: RequestParts,
): string | null {
  if (order === EVERYTHING) return EVERYTHING;
  const value = valueAt(parts.get(order.part), order.steps, parts.work);
  if (value === undefined || value === null || !isScalar(value)) return null;
  const key = writeDocument(value);
  if (key.length <= MOST_CHARACTERS) return key;
  return `sha256:${createHash('sha256').update(key).digest('base64url')}`;
}
