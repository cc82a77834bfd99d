import * as v from 'valibot';

/**
 * A whole number from `least` to `most`.
 *
 * @param message stands for that of each check
 */
export function wholeNumber(least: number, most: number, message?: string) {
  return v.pipe(
    v.number(message ?? 'must be a number'),
    v.integer(message ?? 'must be a whole number'),
    v.minValue(least, message ?? `must be at least ${least}`),
    v.maxValue(most, message ?? `must be at most ${most}`),
  );
}
