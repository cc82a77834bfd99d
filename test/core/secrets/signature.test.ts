import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { isSigningSecret, sign, signingKey } from '../../../src/core/secrets/signature.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';

describe('sign', () => {
  it.each([
    ['{"test": 2432232314}', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    ['', 'v1,v48jdbgvh29KJz2Qc+ghw8G6vG3nAKnujWBg8oM/62A='],
    ['\xff\xfe\x00', 'v1,3jg4eW7u8bRdDDGq2uq+cH74GMn0QRxtzvZDV5Akycg='],
  ])('signs %j as the specification does', (body, signature) => {
    expect(sign(signingKey(SECRET), ID, 1614265330, Buffer.from(body, 'latin1'))).toBe(signature);
  });

  it.each([SECRET, `whsec_${Buffer.alloc(64, 0xfb).toString('base64')}`])(
    'is verified by the standardwebhooks package (%s)',
    (secret) => {
      const body = '{"name":"日本","n":12345678901234567890}';
      const timestampS = Math.floor(Date.now() / 1000);
      const headers = {
        'webhook-id': ID,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': sign(signingKey(secret), ID, timestampS, Buffer.from(body)),
      };
      const webhook = new Webhook(secret);
      expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => webhook.verify(`${body} `, headers)).toThrow();
    },
  );

  it('is verified with a plain secret as its UTF-8 bytes', () => {
    const secret = 'geheim-ü';
    const timestampS = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(timestampS),
      'webhook-signature': sign(signingKey(secret), ID, timestampS, Buffer.from('{}')),
    };
    const webhook = new Webhook(Buffer.from(secret), { format: 'raw' });
    expect(webhook.verify('{}', headers)).toEqual({});
  });
});

describe('signingKey', () => {
  it.each([
    ['whsec_AAEC', Buffer.from([0, 1, 2])],
    ['whsec_+/+/', Buffer.from([0xfb, 0xff, 0xbf])],
    ['plain', Buffer.from('plain')],
    ['WHSEC_AAEC', Buffer.from('WHSEC_AAEC')],
    ['ключ', Buffer.from('ключ')],
    // Not the base64 that an encoder writes: the whole secret is the key.
    ['whsec_', Buffer.from('whsec_')],
    ['whsec_not base64!', Buffer.from('whsec_not base64!')],
    ['whsec_AAE', Buffer.from('whsec_AAE')],
    ['whsec_-_-_', Buffer.from('whsec_-_-_')],
    ['whsec_AAEC\n', Buffer.from('whsec_AAEC\n')],
  ])('reads the key of %j', (secret, key) => {
    expect(signingKey(secret)).toEqual(key);
  });
});

describe('isSigningSecret', () => {
  it.each(['whsec_AAEC', 'whsec_AAE=', 'whsec_AA==', 'whsec_+/+/', 'plain', 'WHSEC_!', 'whsec'])(
    'accepts %j',
    (secret) => {
      expect(isSigningSecret(secret)).toBe(true);
    },
  );

  it.each([
    'whsec_',
    'whsec_!!!',
    'whsec_=',
    'whsec_AAE',
    'whsec_AAF=',
    'whsec_AAEC=',
    'whsec_-_-_',
    'whsec_AAEC\n',
    'whsec_ AAEC',
    'whsec_AAECé',
  ])('refuses %j, which libraries read in different ways', (secret) => {
    expect(isSigningSecret(secret)).toBe(false);
  });

  it('accepts what the standardwebhooks package reads as the same key', () => {
    const signedByUs = (secret: string) => sign(signingKey(secret), ID, 1, Buffer.from('{}'));
    for (let length = 1; length <= 64; length++) {
      const secret = `whsec_${Buffer.alloc(length, length * 37).toString('base64')}`;
      expect(isSigningSecret(secret)).toBe(true);
      expect(signedByUs(secret)).toBe(new Webhook(secret).sign(ID, new Date(1000), '{}'));
    }
  });
});
