import { describe, expect, it } from 'vitest';
import { AttemptFailure } from '../../../src/delivery/network/attempt-failure.ts';
import { tlsFailure } from '../../../src/delivery/network/connection-error.ts';
import { attemptErrorOf } from '../../../src/delivery/transports/webhook/attempt-error.ts';

function nodeError(code: string, message = `connect ${code} 10.1.2.3:443`): Error {
  return Object.assign(new Error(message), { code });
}

describe('attemptErrorOf', () => {
  it.each([
    ['ENOTFOUND', 'dns_error'],
    ['EAI_AGAIN', 'dns_error'],
    ['ECONNREFUSED', 'connect_refused'],
    ['EHOSTUNREACH', 'connect_error'],
    ['ENETUNREACH', 'connect_error'],
    ['EADDRNOTAVAIL', 'connect_error'],
    ['ETIMEDOUT', 'timeout'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['ERR_IP_BLOCKED', 'blocked_address'],
    ['UND_ERR_HEADERS_OVERFLOW', 'invalid_response'],
    ['UND_ERR_INVALID_ARG', 'unknown'],
    ['EWHATEVER', 'unknown'],
  ])('%s is %s', (code, expected) => {
    const error = attemptErrorOf(nodeError(code));
    expect(error.code).toBe(expected);
    expect(error.message).not.toContain('10.1.2.3');
    expect(error.message).toMatch(/^[^\n]{5,100}\.$/);
  });

  it('takes the first address’s error for a name', () => {
    const error = new AggregateError([nodeError('EHOSTUNREACH'), nodeError('ECONNREFUSED')]);
    expect(attemptErrorOf(error).code).toBe('connect_error');
  });

  it('keeps an AttemptFailure', () => {
    const error = new AttemptFailure('blocked_address', 'Not public.', new Error('inner'));
    expect(attemptErrorOf(error)).toEqual({ code: 'blocked_address', message: 'Not public.' });
  });

  it('names an error without a code', () => {
    expect(attemptErrorOf(new TypeError('10.1.2.3'))).toEqual({
      code: 'unknown',
      message: 'The request failed (TypeError).',
    });
    expect(attemptErrorOf(new AggregateError([])).code).toBe('unknown');
  });
});

describe('tlsFailure', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate is for another name'],
    ['ECONNRESET', 'the connection was closed'],
    ['ERR_SSL_SOMETHING_NEW', 'ERR_SSL_SOMETHING_NEW'],
  ])('%s: %s', (code, reason) => {
    const error = tlsFailure(nodeError(code));
    expect(error).toMatchObject({
      code: 'tls_error',
      message: `TLS handshake failed: ${reason}.`,
    });
  });
});
