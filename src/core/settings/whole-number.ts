import * as v from 'valibot';

/**
 * Checks a whole number from `least` to `most`.
 *
 * @param message replaces the message of each check
 */
export function wholeNumber(least: number, most: number, message?: string) {
  return v.pipe(
    v.number(message ?? 'must be a number'),
    v.integer(message ?? 'must be a whole number'),
    v.minValue(least, message ?? `must be at least ${least}`),
    v.maxValue(most, message ?? `must be at most ${most}`),
  );
}
