import { generateKeyPairSync, sign } from 'node:crypto';
import type { Published, Vector } from '../vector.ts';

/* https://developer.ebay.com/api-docs/commerce/notification/overview.html */

const KEYS = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }));
/** On one line, as eBay's API gives them. */
const [PUBLIC = '', OTHER_PUBLIC = ''] = KEYS.map(({ publicKey }) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', ''),
);

export default [
  {
    secret: PUBLIC,
    otherSecret: OTHER_PUBLIC,
    header: 'X-EBAY-SIGNATURE',
    body: '{"metadata":{"topic":"ORDER_CONFIRMATION"},"notification":{"notificationId":"1"}}',
    isVerifiedOnly: true,
    sign({ body }, secret) {
      const { privateKey } = KEYS[secret === PUBLIC ? 0 : 1] as (typeof KEYS)[0];
      const signature = sign('sha1', body, privateKey).toString('base64');
      const sent = JSON.stringify({ alg: 'ecdsa', kid: '1', signature, digest: 'SHA1' });
      return { headers: [['X-EBAY-SIGNATURE', Buffer.from(sent).toString('base64')]] };
    },
  },
] satisfies Vector[];

const TEST_DATA = 'https://github.com/eBay/event-notification-nodejs-sdk/blob/main/test/test.json';
const KEY =
  '-----BEGIN PUBLIC KEY-----MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZhhxXKtR+TOvtDbgTPCkSof02qgBB7IsYOyf76ilExJ/upAa/vKIKheOoCyOpcLmi4t0b4uepb7LLjmMr90FUg==-----END PUBLIC KEY-----';
const BODY =
  '{"metadata":{"topic":"MARKETPLACE_ACCOUNT_DELETION","schemaVersion":"1.0","deprecated":false},"notification":{"notificationId":"49feeaeb-4982-42d9-a377-9645b8479411_33f7e043-fed8-442b-9d44-791923bd9a6d","eventDate":"2021-03-19T20:43:59.462Z","publishDate":"2021-03-19T20:43:59.679Z","publishAttemptCount":1,"data":{"username":"test_user","userId":"ma8vp1jySJC","eiasToken":"nY+sHZ2PrBmdj6wVnY+sEZ2PrA2dj6wJnY+gAZGEpwmdj6x9nY+seQ=="}}}';

export const published: Published[] = [
  {
    source: TEST_DATA,
    secret: KEY,
    headers: [
      [
        'x-ebay-signature',
        'eyJhbGciOiJlY2RzYSIsImtpZCI6Ijk5MzYyNjFhLTdkN2ItNDYyMS1hMGYxLTk2Y2NiNDI4YWY0OSIsInNpZ25hdHVyZSI6Ik1FWUNJUUNmeGZJV3V4bVdjSUJRSjljNS9YN2lHREpxczJSQ0dzQkVhQWppbnlycmZBSWhBSVY2d0djVGlCdVY1S0pVaWYyaG9reXJMK1E5c3NIa2FkK214Mm5FRTI1dyIsImRpZ2VzdCI6IlNIQTEifQ==',
      ],
    ],
    body: BODY,
  },
  {
    source: `${TEST_DATA}, the signature of another message`,
    secret: KEY,
    headers: [
      [
        'x-ebay-signature',
        'eyJhbGciOiJlY2RzYSIsImtpZCI6Ijk5MzYyNjFhLTdkN2ItNDYyMS1hMGYxLTk2Y2NiNDI4YWY0OSIsInNpZ25hdHVyZSI6Ik1FVUNJUUNHY1NubUFrVGZyK1paMlZnMGJXRW9zOGEvdGVCcWk3UGU2OCtoR21MTUNRSWdlRnZrcnRvKzhkczhSVndJM0dnbjFtTUdDck5NRVpKM1NSbE8yZngveHFJPSIsImRpZ2VzdCI6IlNIQTEifQ==',
      ],
    ],
    body: BODY,
    reason: 'signature_mismatch',
  },
  {
    source: 'the verification token verifies no event',
    secret: 'a-verification-token-of-32-letters',
    headers: [
      [
        'x-ebay-signature',
        'eyJhbGciOiJlY2RzYSIsImtpZCI6Ijk5MzYyNjFhLTdkN2ItNDYyMS1hMGYxLTk2Y2NiNDI4YWY0OSIsInNpZ25hdHVyZSI6Ik1FWUNJUUNmeGZJV3V4bVdjSUJRSjljNS9YN2lHREpxczJSQ0dzQkVhQWppbnlycmZBSWhBSVY2d0djVGlCdVY1S0pVaWYyaG9reXJMK1E5c3NIa2FkK214Mm5FRTI1dyIsImRpZ2VzdCI6IlNIQTEifQ==',
      ],
    ],
    body: BODY,
    reason: 'key_unavailable',
  },
];
