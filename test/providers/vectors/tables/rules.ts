import { createHash, createHmac } from 'node:crypto';
import type { Published } from '../../vector.ts';

/* Requests of which only a part is right. `source` says the rule that each shows. */

const AT = Date.parse('2026-03-14T09:26:53Z');
const URL = 'https://hooks.example.com/in/k3jd9';
const SECRET = 'shhh-3c1f0c7a';
const ADYEN_SECRET = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const BODY = '{"a":1}';

const hmac = (hash: string, encoding: 'hex' | 'base64', text: string) =>
  createHmac(hash, SECRET).update(text).digest(encoding);

function graphBody(...states: (string | undefined)[]): string {
  return JSON.stringify({ value: states.map((clientState) => ({ clientState })) });
}

function adyenBody(...signatures: (string | undefined)[]): string {
  const notificationItems = signatures.map((hmacSignature) => ({
    NotificationRequestItem: { pspReference: 'p', additionalData: { hmacSignature } },
  }));
  return JSON.stringify({ live: 'false', notificationItems });
}
const ADYEN_SIGNATURE = createHmac('sha256', Buffer.from(ADYEN_SECRET, 'hex'))
  .update('p:::::::')
  .digest('base64');

function netlifyToken(header: object, claims: object, key = SECRET): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}
const SHA256 = createHash('sha256').update(BODY).digest('hex');
const HS256 = { alg: 'HS256' };

function contentfulRequest(source: string, names: string, reason?: string): Published {
  const lines = `POST\n/in/k3jd9\n${names
    .split(',')
    .map((name) => `${name}:${name.endsWith('timestamp') ? AT : names}`)
    .join(';')}\n${BODY}`;
  return {
    source,
    secret: SECRET,
    url: URL,
    headers: [
      ['x-contentful-signed-headers', names],
      ['x-contentful-timestamp', String(AT)],
      ['x-contentful-signature', hmac('sha256', 'hex', lines)],
    ],
    body: BODY,
    receivedAt: AT,
    ...(reason && { reason }),
  };
}

export default {};

export const published: Record<string, readonly Published[]> = {
  adyen: [
    {
      source: 'every item of a request is signed',
      secret: ADYEN_SECRET,
      headers: [],
      body: adyenBody(ADYEN_SIGNATURE, ADYEN_SIGNATURE),
    },
    {
      source: 'an item without a signature spoils the others',
      secret: ADYEN_SECRET,
      headers: [],
      body: adyenBody(ADYEN_SIGNATURE, undefined),
      reason: 'signature_missing',
    },
    {
      source: 'a request without items is not signed',
      secret: ADYEN_SECRET,
      headers: [],
      body: adyenBody(),
      reason: 'signature_missing',
    },
    {
      source: 'a request has at most 100 items',
      secret: ADYEN_SECRET,
      headers: [],
      body: adyenBody(...Array(101).fill(ADYEN_SIGNATURE)),
      reason: 'signature_malformed',
    },
  ],
  contentful: [
    contentfulRequest(
      'the time is among the signed headers',
      'x-contentful-signed-headers,x-contentful-timestamp',
    ),
    contentfulRequest(
      'a time that is not signed proves nothing',
      'x-contentful-signed-headers',
      'signature_malformed',
    ),
  ],
  docusign: [
    {
      source: 'any of the numbered signatures may fit',
      secret: SECRET,
      headers: [
        ['X-DocuSign-Signature-1', hmac('sha256', 'base64', 'another')],
        ['X-DocuSign-Signature-2', hmac('sha256', 'base64', BODY)],
      ],
      body: BODY,
    },
    {
      source: 'signatures have numbers from 1 to 100',
      secret: SECRET,
      headers: [['X-DocuSign-Signature-101', hmac('sha256', 'base64', BODY)]],
      body: BODY,
      reason: 'signature_missing',
    },
  ],
  hubspot: [
    {
      source: 'version 1 counts only without version 3',
      secret: SECRET,
      headers: [
        ['X-HubSpot-Request-Timestamp', String(AT)],
        ['X-HubSpot-Signature-v3', hmac('sha256', 'base64', 'another')],
        [
          'X-HubSpot-Signature',
          createHash('sha256')
            .update(SECRET + BODY)
            .digest('hex'),
        ],
      ],
      body: BODY,
      receivedAt: AT,
      reason: 'signature_mismatch',
    },
    {
      source: 'version 1 alone has no time, and anybody can leave version 3 out',
      secret: SECRET,
      headers: [
        [
          'X-HubSpot-Signature',
          createHash('sha256')
            .update(SECRET + BODY)
            .digest('hex'),
        ],
      ],
      body: BODY,
      receivedAt: AT,
      grade: 'authenticated',
    },
  ],
  meta: [
    {
      source: 'SHA-1 counts only without SHA-256',
      secret: SECRET,
      headers: [
        ['X-Hub-Signature-256', `sha256=${hmac('sha256', 'hex', 'another')}`],
        ['X-Hub-Signature', `sha1=${hmac('sha1', 'hex', BODY)}`],
      ],
      body: BODY,
      reason: 'signature_mismatch',
    },
  ],
  'microsoft-graph': [
    {
      source: 'one notification of another subscription spoils the others',
      secret: SECRET,
      headers: [],
      body: graphBody(SECRET, 'another'),
      reason: 'signature_mismatch',
    },
    {
      source: 'a notification without a state spoils the others',
      secret: SECRET,
      headers: [],
      body: graphBody(SECRET, undefined),
      reason: 'signature_missing',
    },
    {
      source: 'a request without notifications is not authenticated',
      secret: SECRET,
      headers: [],
      body: graphBody(),
      reason: 'signature_missing',
    },
  ],
  mollie: [
    {
      source: 'a rotation sends the header twice',
      secret: SECRET,
      headers: [
        ['X-Mollie-Signature', `sha256=${hmac('sha256', 'hex', 'another')}`],
        ['X-Mollie-Signature', `sha256=${hmac('sha256', 'hex', BODY)}`],
      ],
      body: BODY,
    },
  ],
  netlify: [
    {
      source: 'a token without an algorithm is none',
      secret: SECRET,
      headers: [
        [
          'X-Webhook-Signature',
          `${netlifyToken({ alg: 'none' }, { iss: 'netlify', sha256: SHA256 })}`,
        ],
      ],
      body: BODY,
      reason: 'signature_malformed',
    },
    {
      source: 'the issuer is Netlify',
      secret: SECRET,
      headers: [['X-Webhook-Signature', netlifyToken(HS256, { iss: 'another', sha256: SHA256 })]],
      body: BODY,
      reason: 'signature_mismatch',
    },
    {
      source: 'a token without the hash of the body proves nothing',
      secret: SECRET,
      headers: [['X-Webhook-Signature', netlifyToken(HS256, { iss: 'netlify' })]],
      body: BODY,
      reason: 'signature_mismatch',
    },
  ],
  pagerduty: [
    {
      source: 'any of the signatures may fit',
      secret: SECRET,
      headers: [
        ['X-PagerDuty-Signature', `v1=${'0'.repeat(64)},v1=${hmac('sha256', 'hex', BODY)}`],
      ],
      body: BODY,
    },
  ],
  postmark: [
    {
      source: 'a password is not taken from the query',
      secret: 'user:password',
      url: `${URL}?token=user:password`,
      headers: [],
      body: BODY,
      reason: 'signature_missing',
    },
  ],
};
