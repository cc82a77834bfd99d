import { describe, expect, it } from 'vitest';
import { type RetryPolicy, retryDelayMs } from '../../../src/delivery/attempt/backoff.ts';

const S = 1000;
const H = 3_600_000;
const POLICY: RetryPolicy = { attempts: 8, baseMs: 5 * S, factor: 5, maxMs: 24 * H };
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
