import type { Published } from '../../vector.ts';

/*
 * Requests that the providers' own libraries made or accept, by the name and version of the
 * npm package. Each library refuses the same request with another body.
 */

/** 2026-03-14T09:26:53.000Z */
const AT = 1773480413000;

export default {};

export const published: Record<string, readonly Published[]> = {
  adyen: [
    {
      source: '@adyen/api-library 32.1.0',
      secret: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
      headers: [],
      body: '{"live":"false","notificationItems":[{"NotificationRequestItem":{"pspReference":"7914073381342284","originalReference":"","merchantAccountCode":"TestMerchant","merchantReference":"TestPayment-1407325143704","amount":{"value":1130,"currency":"EUR"},"eventCode":"AUTHORISATION","success":"true","additionalData":{"hmacSignature":"coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="}}}]}',
    },
  ],
  'adyen-platform': [
    {
      source: '@adyen/api-library 32.1.0',
      secret: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
      headers: [['HmacSignature', '1txArhN1B8YOqO/7fdblt8H2uPjWol6vN69phqzMTyo=']],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
    },
  ],
  box: [
    {
      source: 'box-node-sdk 10.12.0',
      secret: 'SamplePrimaryKey',
      headers: [
        ['box-delivery-timestamp', '2026-03-14T02:26:53-07:00'],
        ['box-signature-algorithm', 'HmacSHA256'],
        ['box-signature-version', '1'],
        ['box-signature-primary', 'Mcr69hvRwdweMdnmIm+srFUG8EuJOOUKRJ9ZLZpliLQ='],
      ],
      body: '{"id":"ev_1","trigger":"FILE.UPLOADED"}',
      receivedAt: AT,
    },
    {
      source: 'box-node-sdk 10.12.0',
      secret: 'SampleSecondaryKey',
      headers: [
        ['box-delivery-timestamp', '2026-03-14T02:26:53-07:00'],
        ['box-signature-algorithm', 'HmacSHA256'],
        ['box-signature-version', '1'],
        ['box-signature-secondary', 'XPusOs1XB0phr4/6ztWnzOSmH81z0Dseg7p0pj9JUQY='],
      ],
      body: '{"id":"ev_1","trigger":"FILE.UPLOADED"}',
      receivedAt: AT,
    },
  ],
  'coinbase-commerce': [
    {
      source: 'coinbase-commerce-node 1.0.4',
      secret: 'cc',
      headers: [
        [
          'X-CC-Webhook-Signature',
          '2422ef8066f8851c68ea591c56c10acf4070ec776a72240546e6ce6b6603368d',
        ],
      ],
      body: '{"event":{"id":"ev_1","type":"charge:created"}}',
    },
  ],
  contentful: [
    {
      source: '@contentful/node-apps-toolkit 3.16.1',
      secret: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      url: 'https://hooks.example.com/in/k3jd9?shop=1&x=a%20b',
      headers: [
        ['X-Contentful-Topic', 'ContentManagement.Entry.publish'],
        [
          'x-contentful-signature',
          'e934d35f20fac783c07eba21f5398fc07e531632654ef2409a2ece86be2b99dc',
        ],
        [
          'x-contentful-signed-headers',
          'x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic',
        ],
        ['x-contentful-timestamp', '1773480413000'],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
      receivedAt: AT,
    },
  ],
  discord: [
    {
      source: 'discord-interactions 4.4.0',
      secret: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      headers: [
        [
          'X-Signature-Ed25519',
          '3ccf4b206607cec97cd2c1ab5689e49ec50eeffd73bcf4818e5ed58f0a6b34b1d7cc074859d424f3544e0434bdca48c7f264d80d767bdf2f4af9835e4bad4108',
        ],
        ['X-Signature-Timestamp', '1773480413'],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
      receivedAt: AT,
    },
  ],
  hubspot: [
    {
      source: '@hubspot/api-client 14.0.1',
      secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
      url: 'https://hooks.example.com/in/k3jd9?shop=1',
      headers: [
        ['X-HubSpot-Signature-Version', 'v1'],
        ['X-HubSpot-Signature', 'db384113b33af1df3c0c561d9c16d93ae9eacdbcb05e73a1ade3e235ffbabff4'],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
      grade: 'authenticated',
      receivedAt: AT,
    },
    {
      source: '@hubspot/api-client 14.0.1',
      secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
      url: 'https://hooks.example.com/in/k3jd9?shop=1',
      headers: [
        ['X-HubSpot-Signature-Version', 'v2'],
        ['X-HubSpot-Signature', '065db53100c7521eaf3a93844704d26898d6ee1ce26ceb2970726aff35d13101'],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
      grade: 'authenticated',
      receivedAt: AT,
    },
    {
      source: '@hubspot/api-client 14.0.1',
      secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
      url: 'https://hooks.example.com/in/k3jd9?shop=1',
      headers: [
        ['X-HubSpot-Request-Timestamp', '1773480413000'],
        ['X-HubSpot-Signature-v3', 'vJYe/XPOpyVpmMhv/+jOEq3rEwO7mW2Fa6wNmGeTgP0='],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
      receivedAt: AT,
    },
  ],
  linear: [
    {
      source: '@linear/sdk 98.0.0',
      secret: 'lin_wh_1',
      headers: [
        ['Linear-Signature', '48ed1398e82b0a315233fc0edc9af31c32f0efdba1d9fa798533bcb0d39aada1'],
      ],
      body: '{"action":"create","id":"ev_1","webhookTimestamp":1773480413000}',
      receivedAt: AT,
    },
  ],
  'modern-treasury': [
    {
      source: 'modern-treasury 3.3.0',
      secret: 'wh_key',
      headers: [
        ['X-Signature', '39c2b17c43646b3777efc32e0e3796f97992193b14910b9174f75cdd0ff0a617'],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
    },
  ],
  mux: [
    {
      source: '@mux/mux-node 15.3.0',
      secret: 'SuperSecret123',
      headers: [
        [
          'Mux-Signature',
          't=1773480413,v1=d74862af6ef9cff36dbf99151eaa5af54020a313fd2b7101601d2bac9fae820b',
        ],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
      receivedAt: AT,
    },
  ],
  paddle: [
    {
      source: '@paddle/paddle-node-sdk 3.10.0',
      secret: 'pdl_ntfset_01',
      headers: [
        [
          'Paddle-Signature',
          'ts=1773480413;h1=4f0e21a09730aae393a0018602ed662f77500b64ba1fd6adba531c6fabe29205',
        ],
      ],
      body: '{"event_id":"ev_1","event_type":"customer.created","notification_id":"n","occurred_at":"2026-03-14T09:26:53Z","data":{"id":"c"}}',
      receivedAt: AT,
    },
  ],
  pusher: [
    {
      source: 'pusher 5.3.4',
      secret: 'beef',
      headers: [
        ['X-Pusher-Key', 'k1'],
        ['X-Pusher-Signature', '41551d4977d3aa893e8bacf8ae58f6e5e7cc7b3eb3c1af12abd3470888210341'],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
    },
  ],
  razorpay: [
    {
      source: 'razorpay 2.9.8',
      secret: '123456',
      headers: [
        [
          'X-Razorpay-Signature',
          '832f61a3f038e3d9c72388dd288e010e8ed36205973ee896482f1e57f0840833',
        ],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
    },
  ],
  sanity: [
    {
      source: '@sanity/webhook 4.0.4',
      secret: 'shh',
      headers: [
        [
          'sanity-webhook-signature',
          't=1773480413000,v1=BXzXGUF8JYJ3CEoMre3OAe4KZ8giNpEvCLXAbNXRltA',
        ],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
      receivedAt: AT,
    },
  ],
  square: [
    {
      source: 'square 46.0.0',
      secret: 'asdf1234',
      url: 'https://hooks.example.com/in/k3jd9?shop=1',
      headers: [['x-square-hmacsha256-signature', 'U/Mjgq3FNVIqEBrewewXrxn7LjPb2fS0vdmNm1sHMxg=']],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
    },
  ],
  webflow: [
    {
      source: 'webflow-api 3.3.4',
      secret: 'wf',
      headers: [
        ['x-webflow-timestamp', '1773480413000'],
        ['x-webflow-signature', '1a7a96450fcf77805988e11cf67cf9687e0056ac054516312bb2d7ed07987df7'],
      ],
      body: '{"id":"ev_1","text":"Grüße ✓ \\u00e9","n":1.0}',
      receivedAt: AT,
    },
  ],
};
