import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto';
import type { HeaderPair } from '../../../../src/core/model.ts';
import { FIVE_MINUTES, hmacVector, milliseconds } from '../../hmac-vector.ts';
import type { ToSign, Vector } from '../../vector.ts';

/* Providers that sign the URL, the method or headers, and those with another algorithm. */

const FORM_BODY = 'mandrill_events=%5B%7B%22event%22%3A%22open%22%7D%5D&a=1+2&B=%C3%A4';

/** What an Ed25519 private key is in PKCS #8, before its 32 bytes (RFC 8410, section 7). */
const PKCS8 = '302e020100300506032b657004220420';
/** Key pairs of RFC 8032, section 7.1, tests 1 and 2: the public key is the secret of a source. */
const KEYS = new Map([
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  ],
]);
const [DISCORD_KEY = '', OTHER_DISCORD_KEY = ''] = [...KEYS.keys()];

/** A plain SHA-256 that begins with the secret. */
function hubspotHash(
  version: 'v1' | 'v2',
  parts: (request: ToSign) => (string | Buffer)[],
): Vector {
  const header = 'X-HubSpot-Signature';
  const versionHeader: HeaderPair = ['X-HubSpot-Signature-Version', version];
  return {
    ...hmacVector({ header }),
    name: version,
    ...(version === 'v1' && { headers: [versionHeader], ignoresUrl: true }),
    isVerifiedOnly: true,
    grade: 'authenticated',
    coversBody: true,
    sign(request, secret) {
      const hash = createHash('sha256').update(secret);
      for (const part of parts(request)) hash.update(part);
      const signature: HeaderPair = [header, hash.digest('hex')];
      return { headers: version === 'v1' ? [signature] : [versionHeader, signature] };
    },
  };
}

function jwt(header: object, claims: object, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

export default {
  contentful: [
    {
      ...hmacVector({ header: 'x-contentful-signature' }),
      headers: [['X-Contentful-Topic', 'ContentManagement.Entry.publish']],
      sign({ method, url, body, at }, secret) {
        const { pathname, search } = new URL(url);
        const query = search === '' ? '' : `?${encodeURIComponent(search.slice(1))}`;
        const names = 'x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic';
        const headers = [
          `x-contentful-signed-headers:${names}`,
          `x-contentful-timestamp:${at}`,
          'x-contentful-topic:ContentManagement.Entry.publish',
        ].join(';');
        const hmac = createHmac('sha256', secret)
          .update(`${method}\n${encodeURI(pathname + query)}\n${headers}\n`)
          .update(body);
        return {
          headers: [
            ['x-contentful-signature', hmac.digest('hex')],
            ['x-contentful-signed-headers', names],
            ['x-contentful-timestamp', String(at)],
          ],
        };
      },
      window: { pastS: 30, futureS: null },
    },
  ],
  discord: [
    {
      secret: DISCORD_KEY,
      otherSecret: OTHER_DISCORD_KEY,
      isVerifiedOnly: true,
      header: 'X-Signature-Ed25519',
      body: '{"type":1,"id":"1","application_id":"2","version":1}',
      sign({ body, at }, secret) {
        const time = String(at / 1000);
        const der = Buffer.from(PKCS8 + KEYS.get(secret), 'hex');
        const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
        const signature = sign(null, Buffer.concat([Buffer.from(time), body]), key);
        return {
          headers: [
            ['X-Signature-Timestamp', time],
            ['X-Signature-Ed25519', signature.toString('hex')],
          ],
        };
      },
      window: FIVE_MINUTES,
    },
  ],
  hubspot: [
    hmacVector({
      name: 'v3',
      header: 'X-HubSpot-Signature-v3',
      encoding: 'base64',
      signed: ({ method, url, body }, time) => [method, url, body, time],
      time: milliseconds,
      timeHeader: 'X-HubSpot-Request-Timestamp',
      window: { pastS: 300, futureS: null },
    }),
    hmacVector({
      name: 'v3, the URL decoded',
      header: 'X-HubSpot-Signature-v3',
      encoding: 'base64',
      url: 'https://hooks.example.com/in/k3jd9?at=12%3A30&to=a%40b&rest=%20%26',
      signed: ({ method, url, body }, time) => [
        method,
        url.replace('%3A', ':').replace('%40', '@'),
        body,
        time,
      ],
      time: milliseconds,
      timeHeader: 'X-HubSpot-Request-Timestamp',
      window: { pastS: 300, futureS: null },
    }),
    hubspotHash('v2', ({ method, url, body }) => [method, url, body]),
    hubspotHash('v1', ({ body }) => [body]),
  ],
  mandrill: [
    hmacVector({
      header: 'X-Mandrill-Signature',
      hash: 'sha1',
      encoding: 'base64',
      body: FORM_BODY,
      signed: ({ url }) => [url, 'Bä', 'a1 2', 'mandrill_events[{"event":"open"}]'],
    }),
  ],
  netlify: [
    {
      ...hmacVector({ header: 'X-Webhook-Signature' }),
      sign({ body }, secret) {
        const sha256 = createHash('sha256').update(body).digest('hex');
        const token = jwt({ alg: 'HS256', typ: 'JWT' }, { iss: 'netlify', sha256 }, secret);
        return { headers: [['X-Webhook-Signature', token]] };
      },
    },
  ],
  square: [
    hmacVector({
      header: 'x-square-hmacsha256-signature',
      encoding: 'base64',
      signed: ({ url, body }) => [url, body],
    }),
  ],
  trello: [
    hmacVector({
      header: 'X-Trello-Webhook',
      hash: 'sha1',
      encoding: 'base64',
      signed: ({ url, body }) => [body, url],
    }),
  ],
} satisfies Record<string, readonly Vector[]>;
