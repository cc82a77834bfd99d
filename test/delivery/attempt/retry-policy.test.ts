import { describe, expect, it } from 'vitest';
import {
  askedWaitMs,
  longestRetryAfterMs,
  mostAttempts,
  policyOf,
  type RetryPolicy,
} from '../../../src/delivery/attempt/retry-policy.ts';

const S = 1000;
const H = 3_600_000;
const SERVER: RetryPolicy = { attempts: 8, baseMs: 5 * S, factor: 5, maxMs: 24 * H };

describe('policyOf', () => {
  it('is the server’s without one', () => {
    expect(policyOf(null, SERVER)).toBe(SERVER);
  });

  it('is the destination’s own', () => {
    const settings = { attempts: 3, base: S, factor: 2, max: H, give_up_on: [501] };
    expect(policyOf(settings, SERVER)).toEqual({ attempts: 3, baseMs: S, factor: 2, maxMs: H });
  });

  it('is a schedule', () => {
    expect(policyOf({ schedule: [S, H] }, SERVER)).toEqual({ delaysMs: [S, H] });
  });
});

describe('mostAttempts', () => {
  it.each<[string, RetryPolicy, number]>([
    ['those of a growing policy', SERVER, 8],
    ['one more than a schedule has entries', { delaysMs: [S, S, S] }, 4],
    ['one for an empty schedule', { delaysMs: [] }, 1],
  ])('is %s', (_what, policy, most) => {
    expect(mostAttempts(policy)).toBe(most);
  });
});

describe('longestRetryAfterMs', () => {
  it.each<[string, RetryPolicy, number]>([
    ['the longest delay', SERVER, 24 * H],
    ['the longest delay, however short', { ...SERVER, maxMs: S }, S],
    ['the longest entry of a schedule', { delaysMs: [S, 3 * H, 2 * H] }, 3 * H],
    ['an hour for a schedule of short entries', { delaysMs: [S] }, H],
    ['an hour for an empty schedule', { delaysMs: [] }, H],
  ])('is %s', (_what, policy, longest) => {
    expect(longestRetryAfterMs(policy)).toBe(longest);
  });
});

describe('askedWaitMs', () => {
  it.each([
    ['nothing', null, null],
    ['no time', 0, null],
    ['a minute', 60 * S, 60 * S],
    ['too much', 48 * H, 24 * H],
  ])('of %s', (_what, retryAfterMs, expected) => {
    expect(askedWaitMs(retryAfterMs, SERVER)).toBe(expected);
  });
});
