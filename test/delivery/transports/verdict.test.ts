import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../src/delivery/transports/webhook/verdict.ts';

const verdict = (responseCode: number | null, retryAfterMs: number | null = null) =>
  verdictOf({ responseCode, retryAfterMs });

describe('verdictOf', () => {
  it.each([200, 201, 202, 204, 299])('%i succeeds', (status) => {
    expect(verdict(status)).toEqual({ verdict: 'succeeded', retryAfterMs: null });
  });

  it.each([300, 301, 304, 307, 308, 400, 401, 403, 404, 413, 429, 500, 503, 999])(
    '%i is tried again',
    (status) => {
      expect(verdict(status)).toEqual({ verdict: 'retryable', retryAfterMs: null });
    },
  );

  it('no response is tried again', () => {
    expect(verdict(null)).toEqual({ verdict: 'retryable', retryAfterMs: null });
  });

  it('410 is fatal', () => {
    expect(verdict(410, 60_000)).toEqual({ verdict: 'fatal', retryAfterMs: null });
  });

  it.each([
    [429, 60_000],
    [503, 60_000],
    [500, null],
    [302, null],
    [404, null],
  ])('Retry-After: 60 with a %i: %j ms', (status, retryAfterMs) => {
    expect(verdict(status, 60_000)).toEqual({ verdict: 'retryable', retryAfterMs });
  });
});
