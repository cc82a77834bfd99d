import { describe, expect, it } from 'vitest';
import type { AttemptErrorCode } from '../../../src/core/model.ts';
import { nextState } from '../../../src/delivery/attempt/status-policy.ts';

const NOW = 1_700_000_000_000;
const POLICY = { attempts: 8, baseMs: 5000, factor: 5, maxMs: 86_400_000 };

function next(
  responseCode: number | null,
  {
    attemptNumber = 1,
    error = null as AttemptErrorCode | null,
    retryAfterMs = null as number | null,
  } = {},
) {
  return nextState({
    outcome: { responseCode, error: error && { code: error, message: '' }, retryAfterMs },
    attemptNumber,
    policy: POLICY,
    now: NOW,
    random: () => 0.5,
  });
}

describe('nextState', () => {
  it.each([200, 201, 202, 204, 299])('%i succeeds', (status) => {
    expect(next(status)).toEqual({ state: 'succeeded' });
    expect(next(status, { attemptNumber: 8 })).toEqual({ state: 'succeeded' });
  });

  it.each([300, 301, 304, 307, 308, 400, 401, 403, 404, 413, 429, 500, 503, 999])(
    '%i is tried again',
    (status) => {
      expect(next(status)).toEqual({ state: 'pending', nextAttemptAt: NOW + 5000 });
      expect(next(status, { attemptNumber: 2 })).toEqual({
        state: 'pending',
        nextAttemptAt: NOW + 25_000,
      });
    },
  );

  it('410 is dead at once', () => {
    expect(next(410)).toEqual({ state: 'dead' });
  });

  it.each(['invalid_path', 'loop', 'secret_unreadable'] as const)('%s is dead at once', (error) => {
    expect(next(null, { error })).toEqual({ state: 'dead' });
  });

  it.each([
    'request_unreadable',
    'dns_error',
    'connect_refused',
    'connect_error',
    'tls_error',
    'timeout',
    'reset',
    'blocked_address',
    'invalid_response',
    'unknown',
  ] as const)('%s is tried again', (error) => {
    expect(next(null, { error })).toEqual({ state: 'pending', nextAttemptAt: NOW + 5000 });
  });

  it('the last attempt leaves it dead', () => {
    expect(next(500, { attemptNumber: 7 })).toMatchObject({ state: 'pending' });
    expect(next(500, { attemptNumber: 8 })).toEqual({ state: 'dead' });
    expect(next(null, { attemptNumber: 8, error: 'timeout' })).toEqual({ state: 'dead' });
    expect(next(429, { attemptNumber: 8, retryAfterMs: 1 })).toEqual({ state: 'dead' });
  });

  it.each([
    [429, 60_000],
    [503, 60_000],
    [500, 5000],
    [302, 5000],
    [404, 5000],
  ])('Retry-After: 60 with a %i waits %i ms', (status, delayMs) => {
    expect(next(status, { retryAfterMs: 60_000 })).toEqual({
      state: 'pending',
      nextAttemptAt: NOW + delayMs,
    });
  });
});
