import { describe, expect, it } from 'vitest';
import { nextState } from '../../../src/delivery/attempt/next-state.ts';
import type { RetryPolicy } from '../../../src/delivery/attempt/retry-policy.ts';
import type { AttemptOutcome } from '../../../src/delivery/transports/transport.ts';

const NOW = 1_700_000_000_000;
const POLICY = { attempts: 8, baseMs: 5000, factor: 5, maxMs: 86_400_000 };

function next(
  verdict: AttemptOutcome['verdict'],
  {
    attemptNumber = 1,
    retryAfterMs = null as number | null,
    reach = 'failed' as AttemptOutcome['reach'],
    isProbe = false,
    policy = POLICY as RetryPolicy,
  } = {},
) {
  return nextState({
    outcome: { verdict, reach, retryAfterMs },
    attemptNumber,
    isProbe,
    policy,
    now: NOW,
    random: () => 0.5,
  });
}

describe('nextState', () => {
  it('a success ends the delivery, even at the last attempt', () => {
    expect(next('succeeded')).toEqual({ state: 'succeeded' });
    expect(next('succeeded', { attemptNumber: 8 })).toEqual({ state: 'succeeded' });
  });

  it('a retryable outcome is due again after the backoff', () => {
    expect(next('retryable')).toEqual({ state: 'pending', nextAttemptAt: NOW + 5000 });
    expect(next('retryable', { attemptNumber: 2 })).toEqual({
      state: 'pending',
      nextAttemptAt: NOW + 25_000,
    });
  });

  it('a fatal outcome is dead at once', () => {
    expect(next('fatal')).toEqual({ state: 'dead' });
    expect(next('fatal', { retryAfterMs: 1 })).toEqual({ state: 'dead' });
  });

  it('the last attempt leaves it dead', () => {
    expect(next('retryable', { attemptNumber: 7 })).toMatchObject({ state: 'pending' });
    expect(next('retryable', { attemptNumber: 8 })).toEqual({ state: 'dead' });
    expect(next('retryable', { attemptNumber: 8, retryAfterMs: 1 })).toEqual({ state: 'dead' });
  });

  it('the wait that the destination asks for raises the delay', () => {
    expect(next('retryable', { retryAfterMs: 60_000 })).toEqual({
      state: 'pending',
      nextAttemptAt: NOW + 60_000,
    });
  });

  it('a schedule has one attempt more than entries', () => {
    const policy = { delaysMs: [0, 7000] };
    expect(next('retryable', { policy })).toEqual({ state: 'pending', nextAttemptAt: NOW });
    expect(next('retryable', { policy, attemptNumber: 2 })).toEqual({
      state: 'pending',
      nextAttemptAt: NOW + 7000,
    });
    expect(next('retryable', { policy, attemptNumber: 3 })).toEqual({ state: 'dead' });
    expect(next('retryable', { policy: { delaysMs: [] } })).toEqual({ state: 'dead' });
  });

  it.each<[AttemptOutcome['verdict'], AttemptOutcome['reach'], number, object]>([
    ['retryable', 'failed', 1, { state: 'held' }],
    ['retryable', 'failed', 8, { state: 'held' }],
    ['retryable', 'not_sent', 1, { state: 'held' }],
    ['retryable', 'answered', 1, { state: 'pending', nextAttemptAt: NOW + 5000 }],
    ['retryable', 'answered', 8, { state: 'dead' }],
    ['fatal', 'failed', 1, { state: 'held' }],
    ['fatal', 'not_sent', 1, { state: 'dead' }],
    ['fatal', 'answered', 1, { state: 'dead' }],
    ['succeeded', 'answered', 8, { state: 'succeeded' }],
  ])('a probe that ends as %s, %s, at attempt %i', (verdict, reach, attemptNumber, expected) => {
    expect(next(verdict, { reach, attemptNumber, isProbe: true })).toEqual(expected);
  });
});
