import twilio from 'twilio';
import { getExpectedBodyHash, getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import type { HeaderPair } from '../../../src/core/model.ts';
import { asObject, BODY } from '../documented.ts';
import type { Published, Vector } from '../vector.ts';

const SECRETS = {
  secret: '0c8f9ad3e1b24f6795c1d2e3f4a5b6c7',
  otherSecret: 'f19c8a7d6e5b4c3f2a1b0c9d8e7f6a5b',
};
const FORM = 'To=%2B18005551212&From=%2B14158675310&Body=Gr%C3%BC%C3%9Fe+an+%26&AccountSid=AC1';
const FORM_TYPE: HeaderPair = ['Content-Type', 'application/x-www-form-urlencoded; charset=UTF-8'];

function fieldsOf(body: Buffer): Record<string, string | string[]> {
  const form = new URLSearchParams(body.toString());
  return Object.fromEntries(
    [...form.keys()].map((name) => {
      const values = form.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}

const OF_FORM: Vector = {
  ...SECRETS,
  name: 'a form',
  header: 'X-Twilio-Signature',
  headers: [FORM_TYPE],
  body: FORM,
  sign: ({ body, url }, secret) => ({
    headers: [['X-Twilio-Signature', getExpectedTwilioSignature(secret, url, fieldsOf(body))]],
  }),
  accepts: ({ headers, body, url }, secret) =>
    twilio.validateRequest(
      secret,
      asObject(headers)['x-twilio-signature'] ?? '',
      url,
      fieldsOf(body),
    ),
};

const OF_JSON: Vector = {
  ...SECRETS,
  name: 'JSON',
  header: 'X-Twilio-Signature',
  headers: [['Content-Type', 'application/json']],
  body: BODY,
  sign: ({ body, url }, secret) => {
    const full = `${url}&bodySHA256=${getExpectedBodyHash(body.toString())}`;
    return {
      url: full,
      headers: [['X-Twilio-Signature', getExpectedTwilioSignature(secret, full, {})]],
    };
  },
  accepts: ({ headers, body, url }, secret) =>
    twilio.validateRequestWithBody(
      secret,
      asObject(headers)['x-twilio-signature'] ?? '',
      url,
      body.toString(),
    ),
};

export default [
  OF_FORM,
  { ...OF_FORM, name: 'repeated fields', body: 'b=2&a=1&b=10&b=2&B=0&%C3%A9=3' },
  {
    ...OF_FORM,
    name: 'a port',
    sign: ({ body, url }, secret) => {
      const withPort = url.replace('.com/', '.com:443/');
      const signature = getExpectedTwilioSignature(secret, withPort, fieldsOf(body));
      return { headers: [['X-Twilio-Signature', signature]] };
    },
  },
  OF_JSON,
] satisfies Vector[];

const { headers: OF_URL } = OF_FORM.sign(
  { method: 'POST', url: 'https://hooks.example.com/in/1', body: Buffer.alloc(0), at: 0 },
  SECRETS.secret,
);

export const published: Published[] = [
  {
    source:
      'https://www.twilio.com/docs/usage/security#test-the-validity-of-your-webhook-signature',
    secret: '12345',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    headers: [FORM_TYPE, ['X-Twilio-Signature', 'RSOYDt4T1cUTdK1PDd93/VVr8B8=']],
    body: 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
  },
  {
    source: 'The signature of a URL alone says nothing about a body of another type.',
    secret: SECRETS.secret,
    url: 'https://hooks.example.com/in/1',
    headers: [...OF_URL, ['Content-Type', 'application/json']],
    body: BODY,
    reason: 'signature_mismatch',
  },
  {
    source: 'The query of a GET request is part of its URL.',
    secret: SECRETS.secret,
    method: 'GET',
    url: 'https://hooks.example.com/in/1',
    headers: OF_URL,
    body: '',
  },
];
