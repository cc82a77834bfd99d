import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptErrorCode } from '../../../src/core/model.ts';
import type { GiveUpOn } from '../../../src/core/settings/retry-schema.ts';
import { responseVerdict } from '../../../src/delivery/transports/webhook/response-verdict.ts';

interface Made {
  retryAfterMs?: number | null;
  error?: AttemptErrorCode;
  wasSent?: boolean;
}

function outcome(
  responseCode: number | null,
  { retryAfterMs = null, error, wasSent = true }: Made = {},
  giveUpOn?: GiveUpOn,
) {
  const said = error === undefined ? null : { code: error, message: error };
  return responseVerdict({ responseCode, retryAfterMs, error: said, wasSent }, giveUpOn);
}

describe('the verdict', () => {
  it.each([200, 201, 202, 204, 299])('%i succeeds', (status) => {
    expect(outcome(status)).toMatchObject({ verdict: 'succeeded', retryAfterMs: null });
  });

  it.each([300, 301, 304, 307, 308, 400, 401, 403, 404, 413, 429, 500, 503, 999])(
    '%i is tried again',
    (status) => {
      expect(outcome(status)).toMatchObject({ verdict: 'retryable', retryAfterMs: null });
    },
  );

  it('no response is tried again', () => {
    expect(outcome(null, { error: 'reset' })).toMatchObject({ verdict: 'retryable' });
    expect(outcome(null, { error: 'reset' }, ['3xx', '4xx', '5xx'])).toMatchObject({
      verdict: 'retryable',
    });
  });

  it('410 is fatal', () => {
    expect(outcome(410, { retryAfterMs: 60_000 })).toMatchObject({
      verdict: 'fatal',
      retryAfterMs: null,
    });
  });

  it.each([
    [429, 60_000],
    [503, 60_000],
    [500, null],
    [302, null],
    [404, null],
  ])('Retry-After: 60 with a %i: %j ms', (status, retryAfterMs) => {
    expect(outcome(status, { retryAfterMs: 60_000 })).toMatchObject({
      verdict: 'retryable',
      retryAfterMs,
    });
  });
});

describe('the codes to give up on', () => {
  it.each<[number, GiveUpOn, boolean]>([
    [410, [], false],
    [410, [404], false],
    [404, [404], true],
    [404, ['4xx'], true],
    [410, ['4xx'], true],
    [408, ['4xx'], false],
    [429, ['4xx'], false],
    [429, ['4xx', 429], true],
    [408, [408], true],
    [501, ['4xx', 501], true],
    [500, ['4xx', 501], false],
    [503, ['5xx'], true],
    [302, ['3xx'], true],
    [302, ['4xx', '5xx'], false],
    [999, ['3xx', '4xx', '5xx'], false],
  ])('%i with %j is fatal: %j', (status, giveUpOn, isFatal) => {
    const verdict = isFatal ? 'fatal' : 'retryable';
    expect(outcome(status, {}, giveUpOn).verdict).toBe(verdict);
  });

  it('leave the wait that a 503 asks of the whole destination', () => {
    expect(outcome(503, { retryAfterMs: 5000 }, ['5xx'])).toEqual({
      verdict: 'fatal',
      retryAfterMs: 5000,
      reach: 'failed',
    });
  });

  it('never touch a success', () => {
    const code = fc.oneof(
      fc.integer({ min: 300, max: 599 }),
      fc.constantFrom('3xx' as const, '4xx' as const, '5xx' as const),
    );
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 299 }), fc.array(code), (status, giveUpOn) => {
        expect(outcome(status, {}, giveUpOn).verdict).toBe('succeeded');
      }),
    );
  });
});

describe('the reach', () => {
  it.each([200, 204, 300, 302, 400, 401, 404, 408, 410, 499, 600, 999])('%i answered', (status) => {
    expect(outcome(status).reach).toBe('answered');
  });

  it.each([429, 500, 501, 503, 599])('%i failed', (status) => {
    expect(outcome(status).reach).toBe('failed');
  });

  it.each<AttemptErrorCode>([
    'dns_error',
    'connect_refused',
    'connect_error',
    'tls_error',
    'timeout',
    'reset',
    'invalid_response',
    'response_flood',
  ])('%s failed, sent or not', (error) => {
    for (const wasSent of [true, false]) {
      expect(outcome(null, { error, wasSent }).reach).toBe('failed');
    }
  });

  it('a status whose body failed, failed', () => {
    expect(outcome(404, { error: 'timeout' }).reach).toBe('failed');
  });

  it('a blocked address was not sent to', () => {
    expect(outcome(null, { error: 'blocked_address', wasSent: false }).reach).toBe('not_sent');
  });

  it('an error without a name is this machine’s before the request was sent', () => {
    expect(outcome(null, { error: 'unknown', wasSent: false }).reach).toBe('not_sent');
    expect(outcome(null, { error: 'unknown', wasSent: true }).reach).toBe('failed');
  });
});
