import * as v from 'valibot';

/** A whole number in JSON from 1. */
export function wholeNumber(most: number, message = `must be a whole number from 1 to ${most}`) {
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(1, message),
    v.maxValue(most, message),
  );
}
