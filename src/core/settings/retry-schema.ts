import * as v from 'valibot';
import { DAY_MS } from '../text/duration.ts';
import { durationSchema } from './duration-schema.ts';
import { strictObject } from './strict-object.ts';
import { wholeNumber } from './whole-number.ts';

const MOST_DELAY_MS = 30 * DAY_MS;
/** The longest delay of a policy that names none: that of `--retry-max`, and of the page's form. */
const DEFAULT_MAX = '24h';
const MOST_ATTEMPTS = 100;
const MOST_CODES = 50;

/** The codes for which a delivery dies at once. Each is a status, or a class such as `4xx`. */
export type GiveUpOn = readonly (number | '3xx' | '4xx' | '5xx')[];

const delay = (leastMs: number, example: string) =>
  durationSchema('Time until the next attempt.', { leastMs, mostMs: MOST_DELAY_MS, example });

const GIVE_UP_ON = 'must be a status from 300 to 599, or 3xx, 4xx or 5xx';
const giveUpOn = v.optional(
  v.pipe(
    v.array(
      v.union(
        [wholeNumber(300, 599, GIVE_UP_ON), v.picklist(['3xx', '4xx', '5xx'], GIVE_UP_ON)],
        GIVE_UP_ON,
      ),
      'must be a list',
    ),
    v.maxLength(MOST_CODES, `must have at most ${MOST_CODES} entries`),
  ),
);

const growing = strictObject({
  attempts: wholeNumber(1, MOST_ATTEMPTS),
  base: delay(1, '5s'),
  factor: v.pipe(
    v.number('must be a number'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(100, 'must be at most 100'),
  ),
  max: v.optional(delay(1, DEFAULT_MAX), DEFAULT_MAX),
  give_up_on: giveUpOn,
});

const scheduled = strictObject({
  schedule: v.pipe(
    v.array(delay(0, '5s'), 'must be a list of durations'),
    v.maxLength(MOST_ATTEMPTS - 1, `must have at most ${MOST_ATTEMPTS - 1} entries`),
  ),
  give_up_on: giveUpOn,
});

/** The lazy schema hides the alternatives, so the OpenAPI document takes them from `options`. */
const policy = Object.assign(
  v.lazy((input) => (isScheduled(input) ? scheduled : growing)),
  { options: [growing, scheduled] as const },
);

/**
 * Reads a retry policy: a growing delay or a `schedule`. A schedule allows one attempt more than it
 * has entries.
 */
export function retrySchema(description: string) {
  return v.pipe(
    policy,
    v.metadata({
      description,
      examples: [{ attempts: 8, base: '5s', factor: 5, max: '24h', give_up_on: ['4xx', 501] }],
    }),
  );
}

function isScheduled(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'schedule' in input;
}
