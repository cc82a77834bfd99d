import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelayMs } from '../../../src/delivery/attempt/backoff.ts';
import {
  askedWaitMs,
  longestRetryAfterMs,
  mostAttempts,
  type RetryPolicy,
} from '../../../src/delivery/attempt/retry-policy.ts';

const S = 1000;
const H = 3_600_000;
const POLICY = { attempts: 8, baseMs: 5 * S, factor: 5, maxMs: 24 * H } satisfies RetryPolicy;
const LOWEST = () => 0;
const MIDDLE = () => 0.5;
const HIGHEST = () => 1 - Number.EPSILON;

describe('retryDelayMs', () => {
  it.each([
    [1, 5 * S],
    [2, 25 * S],
    [3, 125 * S],
    [4, 625 * S],
    [5, 3125 * S],
    [6, 15_625 * S],
    [7, 78_125 * S],
    [8, 24 * H],
    [1000, 24 * H],
  ])('after attempt %i waits about %i ms', (attempt, delay) => {
    const at = (random: () => number) =>
      retryDelayMs({ attempt, retryAfterMs: null, random, policy: POLICY });
    expect(at(MIDDLE)).toBe(delay);
    expect(at(LOWEST)).toBe(Math.round(delay * 0.8));
    expect(at(HIGHEST)).toBe(Math.min(24 * H, Math.round(delay * 1.2)));
  });

  it('spreads the eight attempts over about 27 hours', () => {
    let total = 0;
    for (let attempt = 1; attempt < POLICY.attempts; attempt++) {
      total += retryDelayMs({ attempt, retryAfterMs: null, random: MIDDLE, policy: POLICY });
    }
    expect(total / H).toBeCloseTo(27.1, 1);
  });

  it.each([
    ['raises a shorter delay', 60 * S, 60 * S],
    ['is not undercut by the jitter', 5 * S, 5 * S],
    ['does not shorten the delay', 1 * S, 4 * S],
    ['is held to the longest delay', 48 * H, 24 * H],
  ])('Retry-After %s', (_what, retryAfterMs, expected) => {
    const delay = retryDelayMs({ attempt: 1, retryAfterMs, random: LOWEST, policy: POLICY });
    expect(delay).toBe(expected);
  });

  it('uses the operator’s policy', () => {
    const policy = { attempts: 3, baseMs: 100, factor: 1, maxMs: 150 };
    expect(retryDelayMs({ attempt: 9, retryAfterMs: null, random: MIDDLE, policy })).toBe(100);
    expect(retryDelayMs({ attempt: 1, retryAfterMs: 200, random: MIDDLE, policy })).toBe(150);
  });
});

describe('retryDelayMs with a schedule', () => {
  const SCHEDULE = { delaysMs: [0, 5 * S, 2 * H] };

  it.each([
    [1, 0],
    [2, 5 * S],
    [3, 2 * H],
  ])('after attempt %i waits exactly %i ms', (attempt, delay) => {
    for (const random of [LOWEST, MIDDLE, HIGHEST]) {
      expect(retryDelayMs({ attempt, retryAfterMs: null, random, policy: SCHEDULE })).toBe(delay);
    }
  });

  it.each([
    ['raises a shorter entry', 1, 60 * S, 60 * S],
    ['does not shorten an entry', 3, 60 * S, 2 * H],
    ['is held to the longest entry', 1, 3 * H, 2 * H],
  ])('Retry-After %s', (_what, attempt, retryAfterMs, expected) => {
    const delay = retryDelayMs({ attempt, retryAfterMs, random: MIDDLE, policy: SCHEDULE });
    expect(delay).toBe(expected);
  });

  it('of short entries still lets Retry-After ask for an hour', () => {
    const policy = { delaysMs: [S] };
    expect(retryDelayMs({ attempt: 1, retryAfterMs: 2 * H, random: MIDDLE, policy })).toBe(H);
  });
});

describe('any delay', () => {
  const ms = fc.integer({ min: 1, max: 30 * 24 * H });
  const growing = fc.record({
    attempts: fc.integer({ min: 1, max: 100 }),
    baseMs: ms,
    factor: fc.double({ min: 1, max: 100, noNaN: true }),
    maxMs: ms,
  });
  const scheduled = fc.record({
    delaysMs: fc.array(fc.integer({ min: 0, max: 30 * 24 * H }), { maxLength: 99 }),
  });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const asked = fc.option(fc.integer({ min: 0, max: 24 * H }));

  it('is what the policy says, raised by what was asked for, and within the bound', () => {
    fc.assert(
      fc.property(fc.oneof(growing, scheduled), asked, random, fc.nat(), (policy, ra, r, n) => {
        const attempt = 1 + (n % Math.max(1, mostAttempts(policy) - 1));
        const delay = retryDelayMs({ attempt, retryAfterMs: ra, random: () => r, policy });
        const bound = longestRetryAfterMs(policy);
        expect(delay).toBeGreaterThanOrEqual(askedWaitMs(ra, policy) ?? 0);
        expect(delay).toBeLessThanOrEqual(bound);
        if ('delaysMs' in policy) {
          expect(delay).toBe(Math.max(policy.delaysMs[attempt - 1] ?? 0, Math.min(ra ?? 0, bound)));
        } else {
          const backoff = Math.min(policy.maxMs, policy.baseMs * policy.factor ** (attempt - 1));
          expect(delay).toBeGreaterThanOrEqual(Math.floor(backoff * 0.8));
          if (!ra) expect(delay).toBeLessThanOrEqual(Math.ceil(backoff * 1.2));
        }
      }),
    );
  });
});
