import { isNumber, isScalar, type Value } from './document.ts';
import { compareNumbers } from './exact-number.ts';
import type { Work } from './work.ts';

/**
 * Returns whether two values are the same JSON value. The order of members doesn't matter, types
 * do, and numbers compare exactly. Each pair of values costs one step. It doesn't recurse, because
 * values may be nested a million levels deep.
 */
export function equalValues(left: Value, right: Value, work: Work): boolean {
  const pairs: [Value, Value][] = [[left, right]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = pair;
    work.spend(1);
    if (isNumber(a) && isNumber(b)) {
      if (compareNumbers(a, b) !== 0) return false;
    } else if (isScalar(a) || isScalar(b)) {
      if (a !== b) return false;
    } else if (Array.isArray(a) || Array.isArray(b)) {
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      work.spend(a.length);
      for (const [i, item] of a.entries()) pairs.push([item, b[i] as Value]);
    } else {
      const names = Object.keys(a);
      work.spend(names.length);
      if (names.length !== Object.keys(b).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(b, name)) return false;
        pairs.push([a[name] as Value, b[name] as Value]);
      }
    }
  }
  return true;
}
