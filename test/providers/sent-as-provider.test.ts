import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { resignerOf } from '../../src/providers/resign.ts';

/* What the providers' own libraries need beside a right signature. */

const AT_S = 1_774_000_000;
const BODY = Buffer.from('{"id":"ev_1"}');
const SECRET = 'shhh-3c1f0c7a';

function signed(provider: string, secret = SECRET) {
  const headers = resignerOf(provider)?.sign(
    {
      method: 'POST',
      url: 'https://hooks.example.com/',
      body: BODY,
      timestampS: AT_S,
      deliveryId: 'd',
    },
    secret,
  );
  return Object.fromEntries(headers ?? []);
}

const hmac = (hash: string, ...parts: (string | Buffer)[]) => {
  const made = createHmac(hash, SECRET);
  for (const part of parts) made.update(part);
  return made;
};

test('WorkOS has a blank after the comma, where its Python library splits', () => {
  const signature = hmac('sha256', `${AT_S}000.`, BODY).digest('hex');
  expect(signed('workos')).toEqual({ 'WorkOS-Signature': `t=${AT_S}000, v1=${signature}` });
});

test('Box names the version and the algorithm', () => {
  const time = new Date(AT_S * 1000).toISOString();
  expect(signed('box')).toEqual({
    'BOX-SIGNATURE-VERSION': '1',
    'BOX-SIGNATURE-ALGORITHM': 'HmacSHA256',
    'BOX-DELIVERY-TIMESTAMP': time,
    'BOX-SIGNATURE-PRIMARY': hmac('sha256', BODY, time).digest('base64'),
  });
});

test('Authorize.Net writes its signature in upper case', () => {
  const signature = hmac('sha512', BODY).digest('hex').toUpperCase();
  expect(signed('authorize-net')).toEqual({ 'X-ANET-Signature': `sha512=${signature}` });
});

test('Sentry sends the time of the signature, which replaces the old time', () => {
  expect(signed('sentry')).toEqual({
    'Sentry-Hook-Timestamp': String(AT_S),
    'Sentry-Hook-Signature': hmac('sha256', BODY).digest('hex'),
  });
});
