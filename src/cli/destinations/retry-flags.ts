import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { RetryPolicyAnswer } from '../../api/destinations/destination-answer.ts';
import { duration, wholeNumber } from '../arguments.ts';
import { usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';

/** The initial policy for flags that change only parts. The API takes only whole policies. */
const GROWING = { attempts: 8, base: '5s', factor: 5, max: '24h' } as const;
const MOST_ATTEMPTS = 100;

type GrowingFlag = keyof typeof GROWING;

const GROWING_FLAGS = {
  attempts: 'retryAttempts',
  base: 'retryBase',
  factor: 'retryFactor',
  max: 'retryMax',
} as const satisfies Record<GrowingFlag, string>;

export const addRetryFlags = commandPart((command) =>
  command
    .addOption(
      new Option('--retry-attempts <number>', 'Attempts of a delivery, including the first.')
        .argParser(wholeNumber(1, MOST_ATTEMPTS))
        .helpGroup('Retry policy:'),
    )
    .addOption(
      new Option('--retry-base <duration>', 'Time until the second attempt.')
        .argParser(duration)
        .helpGroup('Retry policy:'),
    )
    .addOption(
      new Option('--retry-factor <number>', 'Factor by which that time grows with each attempt.')
        .argParser(factor)
        .helpGroup('Retry policy:'),
    )
    .addOption(
      new Option('--retry-max <duration>', 'Longest time between two attempts.')
        .argParser(duration)
        .helpGroup('Retry policy:'),
    )
    .addOption(
      new Option(
        '--retry-schedule <durations>',
        'All times between attempts, such as 5s,5m,2h, instead of the flags above.',
      )
        .argParser(schedule)
        .conflicts(Object.values(GROWING_FLAGS))
        .helpGroup('Retry policy:'),
    )
    .addOption(
      new Option(
        '--give-up-on <codes>',
        'Statuses at which a delivery dies at once, such as 4xx,501, or none (default: 410). 4xx excludes 408 and 429.',
      )
        .argParser(codes)
        .helpGroup('Retry policy:'),
    ),
);

export type RetryFlags = FlagsOf<typeof addRetryFlags>;

/** `--no-retry` and `--no-give-up-on` set their flags to false. */
export type RetryChangeFlags = Omit<RetryFlags, 'giveUpOn'> & {
  retry?: false;
  giveUpOn?: RetryFlags['giveUpOn'] | false;
};

/**
 * Returns the policy that the flags choose. Null restores the server's policy; undefined changes
 * nothing. The flags change parts of the present policy, or of `GROWING` if there is none.
 */
export function chosenRetry(
  flags: RetryChangeFlags,
  present: RetryPolicyAnswer | null,
): RetryPolicyAnswer | null | undefined {
  const { retry, retrySchedule, giveUpOn } = flags;
  const growing = Object.fromEntries(
    Object.entries(GROWING_FLAGS).flatMap(([name, flag]) => {
      const value = flags[flag];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const isGrowing = Object.keys(growing).length > 0;
  if (!isGrowing && retrySchedule === undefined && giveUpOn === undefined) {
    return retry === false ? null : undefined;
  }
  if (retry === false) throw usageError('--no-retry excludes the other retry flags');
  // Without a policy, the server's policy applies, which gives up only on 410.
  if (giveUpOn === false && present === null && !isGrowing && retrySchedule === undefined) {
    return undefined;
  }
  const start: RetryPolicyAnswer = present ?? GROWING;
  const { give_up_on: presentCodes, ...policy } = start;
  const given = giveUpOn === false ? undefined : (giveUpOn ?? presentCodes);
  const before = 'schedule' in policy && isGrowing ? GROWING : policy;
  return {
    ...(retrySchedule === undefined ? { ...before, ...growing } : { schedule: retrySchedule }),
    ...(given !== undefined && { give_up_on: given }),
  } as RetryPolicyAnswer;
}

/** Returns a text such as `5 attempts, after 5s, then × 5 up to 24h; gives up on 4xx, 501`. */
export function retryText(retry: RetryPolicyAnswer): string {
  const { give_up_on: codes } = retry;
  if (codes === undefined) return timesText(retry);
  return `${timesText(retry)}; gives up on ${codes.length === 0 ? 'no status' : codes.join(', ')}`;
}

function timesText(retry: RetryPolicyAnswer): string {
  const attempts = 'schedule' in retry ? retry.schedule.length + 1 : retry.attempts;
  if (attempts === 1) return '1 attempt';
  if ('schedule' in retry) return `${attempts} attempts, after ${retry.schedule.join(', ')}`;
  const { base, factor, max } = retry;
  // An exact factor such as 4/3 is an object that only `JSON.stringify` writes as a number.
  return `${attempts} attempts, after ${base}, then × ${JSON.stringify(factor)} up to ${max}`;
}

function factor(text: string): number {
  const number = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= 100) return number;
  throw new InvalidArgumentError('Expected a number from 1 to 100.');
}

/** Parses times such as `5s,5m,2h`. */
function schedule(text: string): string[] {
  return parts(text).map(duration);
}

/** Parses statuses such as `4xx,501`, or `none`. */
function codes(text: string): (number | string)[] {
  if (text.trim() === 'none') return [];
  return parts(text).map((code) => {
    if (/^[345]xx$/.test(code)) return code;
    if (/^[345]\d\d$/.test(code)) return Number(code);
    throw new InvalidArgumentError('Expected statuses from 300 to 599, 3xx, 4xx or 5xx, or none.');
  });
}

function parts(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
