import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CustomScheme, SourceSettings } from '../../src/core/proof/source.ts';
import { prove } from '../../src/providers/prove.ts';

/* Sources that are no provider: a token, HTTP Basic, a signature that a person describes. */

const AT = Date.parse('2026-03-14T09:26:53Z');
const BODY = Buffer.from('{"a":1,"text":"Grüße"}');

interface Sent {
  headers?: Record<string, string>;
  query?: string;
  method?: string;
  urls?: string[];
  body?: Buffer;
  receivedAt?: number;
}

function proven(source: Partial<SourceSettings>, secrets: string[] | null, sent: Sent) {
  const { headers = {}, query = '', method = 'POST', urls = [], body = BODY } = sent;
  const settings = { provider: 'custom', enforce: false, url: null, in: null, scheme: null };
  return prove({ ...settings, ...source }, secrets, {
    method,
    urls,
    query,
    rawHeaders: Object.entries(headers).flat(),
    body,
    receivedAt: sent.receivedAt ?? AT,
  });
}

const failed = (provider: string, reason: string | null) => ({
  state: 'failed',
  provider,
  secret: null,
  reason,
});

test('a source that this program does not know lets nothing in', () => {
  for (const provider of ['constructor', 'nobody', 'gitea ']) {
    expect(proven({ provider }, ['s'], {})).toEqual(failed(provider, 'key_unavailable'));
  }
});

test('secrets that cannot be opened fail', () => {
  expect(proven({ provider: 'stripe' }, null, {})).toEqual(failed('stripe', 'secret_unreadable'));
  expect(proven({ provider: 'stripe' }, [], {})).toMatchObject({ state: 'failed' });
});

describe('a token', () => {
  const inHeader = { provider: 'token', in: 'header.x-token' };
  const inQuery = { provider: 'token', in: 'query.t' };

  test('fits in its header, in any case', () => {
    const sent = { headers: { 'X-Token': 's3cret' } };
    expect(proven(inHeader, ['other', 's3cret'], sent)).toEqual({
      state: 'authenticated',
      provider: 'token',
      secret: 2,
      reason: null,
    });
    expect(proven(inHeader, ['s3cre'], sent)).toEqual(failed('token', 'signature_mismatch'));
    expect(proven(inHeader, ['S3CRET'], sent)).toEqual(failed('token', 'signature_mismatch'));
  });

  test('fits in the query, decoded', () => {
    expect(proven(inQuery, ['a b&'], { query: 'x=1&t=a%20b%26' }).state).toBe('authenticated');
    expect(proven(inQuery, ['a'], { query: 'x=1&T=a' })).toEqual(
      failed('token', 'signature_missing'),
    );
  });

  test('that is missing is said to be', () => {
    expect(proven(inHeader, ['s'], { headers: { 'x-other': 's' } })).toEqual(
      failed('token', 'signature_missing'),
    );
  });
});

describe('HTTP Basic', () => {
  const basic = { provider: 'basic' };
  const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  test('takes the user and the password', () => {
    const sent = { headers: { Authorization: header('ada:p:wö') } };
    expect(proven(basic, ['ada:p:wö'], sent).state).toBe('authenticated');
    expect(proven(basic, ['ada:p'], sent)).toEqual(failed('basic', 'signature_mismatch'));
  });

  test('refuses other schemes and garbage', () => {
    expect(proven(basic, ['a:b'], {})).toEqual(failed('basic', 'signature_missing'));
    for (const value of [
      'Bearer YTpi',
      'Basic',
      'Basic %%%',
      '',
      'Basic =',
      'Basic '.repeat(2000),
    ]) {
      expect(proven(basic, ['a:b'], { headers: { Authorization: value } }).state).toBe('failed');
    }
  });
});

describe('a signature of one’s own', () => {
  const SCHEME: CustomScheme = {
    signature: 'header.x-signature',
    form: 'sha256={hex}',
    algorithm: 'hmac-sha256',
    signed: '{header.x-timestamp}.{body}',
    timestamp: 'header.x-timestamp',
    toleranceMs: 60_000,
  };
  const seconds = String(AT / 1000);
  const signed = (time: string, key = 'k') => ({
    'X-Timestamp': time,
    'X-Signature': `sha256=${createHmac('sha256', key).update(`${time}.`).update(BODY).digest('hex')}`,
  });
  const custom = (scheme: Partial<CustomScheme>) => ({ scheme: { ...SCHEME, ...scheme } });

  test('verifies, in seconds, milliseconds and ISO 8601', () => {
    for (const time of [seconds, String(AT), new Date(AT).toISOString()]) {
      expect(proven(custom({}), ['other', 'k'], { headers: signed(time) })).toEqual({
        state: 'verified',
        provider: 'custom',
        secret: 2,
        reason: null,
      });
    }
  });

  test('is refused for another secret, body, prefix or time', () => {
    const headers = signed(seconds);
    const mismatch = failed('custom', 'signature_mismatch');
    expect(proven(custom({}), ['other'], { headers })).toEqual(mismatch);
    expect(proven(custom({}), ['k'], { headers, body: Buffer.from('{}') })).toEqual(mismatch);
    const later = { ...headers, 'X-Timestamp': String(AT / 1000 + 1) };
    expect(proven(custom({}), ['k'], { headers: later })).toEqual(mismatch);
    expect(proven(custom({ form: 'sha1={hex}' }), ['k'], { headers })).toEqual(
      failed('custom', 'signature_malformed'),
    );
    expect(proven(custom({}), ['k'], {})).toEqual(failed('custom', 'signature_missing'));
  });

  test('is refused outside its window, in both directions', () => {
    const headers = signed(seconds);
    const at = (ms: number) => proven(custom({}), ['k'], { headers, receivedAt: AT + ms });
    expect(at(60_000).state).toBe('verified');
    expect(at(60_001)).toEqual(failed('custom', 'timestamp_too_old'));
    expect(at(-60_000).state).toBe('verified');
    expect(at(-60_001)).toEqual(failed('custom', 'timestamp_in_future'));
  });

  test.each([
    ['hmac-sha1', 'sha1', '{base64}', 'base64'],
    ['hmac-sha256', 'sha256', 'v1={base64url}', 'base64url'],
    ['hmac-sha512', 'sha512', '{hex}', 'hex'],
  ] as const)('%s may cover the method and any of the URLs', (algorithm, hash, form, encoding) => {
    const scheme = custom({ algorithm, form, signed: '{method} {url}\n{body}', timestamp: null });
    const hmac = createHmac(hash, 'k').update('PUT https://b.example/x?y\n').update(BODY);
    const value = form.replace(/\{.*\}/, hmac.digest(encoding));
    const sent = { method: 'PUT', headers: { 'x-signature': value } };
    const urls = ['https://a.example/x?y', 'https://b.example/x?y'];
    expect(proven(scheme, ['k'], { ...sent, urls }).state).toBe('verified');
    expect(proven(scheme, ['k'], { ...sent, urls: urls.slice(0, 1) })).toEqual(
      failed('custom', 'signature_mismatch'),
    );
    expect(proven(scheme, ['k'], { ...sent, urls, method: 'POST' })).toEqual(
      failed('custom', 'signature_mismatch'),
    );
  });

  test('takes an Ed25519 public key in hexadecimal', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const key = Buffer.from(x, 'base64url').toString('hex');
    const scheme = custom({
      algorithm: 'ed25519',
      form: '{hex}',
      signed: '{body}',
      timestamp: null,
    });
    const headers = { 'x-signature': sign(null, BODY, privateKey).toString('hex') };
    expect(proven(scheme, [key], { headers }).state).toBe('verified');
    expect(proven(scheme, [key], { headers, body: Buffer.from('x') })).toEqual(
      failed('custom', 'signature_mismatch'),
    );
    expect(proven(scheme, ['no key'], { headers })).toEqual(failed('custom', 'secret_unreadable'));
  });
});
