import { createHmac } from 'node:crypto';
import { FIVE_MINUTES, hmacVector, listed } from '../../hmac-vector.ts';
import type { Vector } from '../../vector.ts';

/* Providers whose proof doesn't cover the body: tokens, passwords and parts of the body. */

const TOKENS = {
  secret: 'a-token_1',
  otherSecret: 'a-token_2',
  grade: 'authenticated',
  isVerifiedOnly: true,
} as const;

function tokenVector(header: string): Vector {
  return {
    ...TOKENS,
    header,
    body: '{"id":1}',
    sign: (_request, secret) => ({ headers: [[header, secret]] }),
  };
}

/** A token that stands in the body. */
function bodyVector(body: (token: string | undefined) => object): Vector {
  const signed = (token?: string) => ({
    headers: [],
    body: Buffer.from(JSON.stringify(body(token))),
  });
  return {
    ...TOKENS,
    header: null,
    body: '',
    sign: (_request, secret) => signed(secret),
    unsigned: () => signed(),
  };
}

const ADYEN_ITEM = {
  pspReference: '7914073381342284',
  merchantAccountCode: 'TestMerchant',
  merchantReference: 'a:b\\c',
  amount: { value: 1130, currency: 'EUR' },
  eventCode: 'AUTHORISATION',
  success: 'true',
  paymentMethod: 'visa',
};

function adyenBody(signature: string | undefined): Buffer {
  const additionalData = { hmacSignature: signature, cardSummary: '1111' };
  const item = { NotificationRequestItem: { ...ADYEN_ITEM, additionalData } };
  return Buffer.from(JSON.stringify({ live: 'false', notificationItems: [item] }));
}

export default {
  adyen: [
    {
      secret: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
      otherSecret: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA057',
      grade: 'authenticated',
      isVerifiedOnly: true,
      header: null,
      body: '',
      sign(_request, secret) {
        const signed = '7914073381342284::TestMerchant:a:b\\c:1130:EUR:AUTHORISATION:true';
        const hmac = createHmac('sha256', Buffer.from(secret, 'hex')).update(signed);
        return { headers: [], body: adyenBody(hmac.digest('base64')) };
      },
      unsigned: () => ({ headers: [], body: adyenBody(undefined) }),
    },
  ],
  figma: [
    bodyVector((passcode) => ({ event_type: 'PING', passcode, webhook_id: '22', timestamp: 't' })),
  ],
  'mercado-pago': [
    {
      ...hmacVector({ header: 'x-signature' }),
      grade: 'authenticated',
      isVerifiedOnly: true,
      url: 'https://hooks.example.com/in/k3jd9?data.id=ORD01JQ&type=order',
      sign({ at }, secret) {
        const time = String(at / 1000);
        const hmac = createHmac('sha256', secret).update(`id:ord01jq;request-id:req-1;ts:${time};`);
        return {
          headers: [
            ['x-request-id', 'req-1'],
            ['x-signature', listed('ts', 'v1')(hmac.digest('hex'), time)],
          ],
        };
      },
      window: FIVE_MINUTES,
    },
  ],
  'microsoft-graph': [
    bodyVector((clientState) => ({
      value: [
        { subscriptionId: 's1', clientState, changeType: 'updated', resource: 'a' },
        { subscriptionId: 's1', clientState, changeType: 'created', resource: 'b' },
      ],
    })),
  ],
  okta: [tokenVector('Authorization')],
  postmark: [
    {
      ...TOKENS,
      name: 'a user and a password',
      secret: 'postmark:pass:word',
      otherSecret: 'postmark:pass:word2',
      header: 'Authorization',
      body: '{"RecordType":"Open","MessageID":"1"}',
      sign: (_request, secret) => ({
        headers: [['Authorization', `Basic ${Buffer.from(secret).toString('base64')}`]],
      }),
    },
    {
      ...TOKENS,
      name: 'a token',
      header: null,
      body: '{"RecordType":"Open","MessageID":"1"}',
      sign: ({ url }, secret) => ({ headers: [], url: `${url}&token=${secret}` }),
      unsigned: () => ({ headers: [] }),
    },
  ],
  telegram: [tokenVector('X-Telegram-Bot-Api-Secret-Token')],
} satisfies Record<string, readonly Vector[]>;
