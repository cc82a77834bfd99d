import { generateKeyPairSync, sign } from 'node:crypto';
import { EventWebhook } from '@sendgrid/eventwebhook';
import { asObject, isAccepted, seconds } from '../documented.ts';
import type { Published, Vector } from '../vector.ts';

const KEYS = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }));
const [PUBLIC = '', OTHER_PUBLIC = ''] = KEYS.map(({ publicKey }) =>
  publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
);

export default [
  {
    secret: PUBLIC,
    otherSecret: OTHER_PUBLIC,
    header: 'X-Twilio-Email-Event-Webhook-Signature',
    body: '[{"email":"ada@example.com","event":"open","sg_event_id":"ZGVsaXZlcmVk"}]\r\n',
    isVerifiedOnly: true,
    sign: ({ body, at }, secret) => {
      const { privateKey } = KEYS[secret === PUBLIC ? 0 : 1] as (typeof KEYS)[0];
      const signed = Buffer.concat([Buffer.from(seconds(at)), body]);
      return {
        headers: [
          ['X-Twilio-Email-Event-Webhook-Timestamp', seconds(at)],
          [
            'X-Twilio-Email-Event-Webhook-Signature',
            sign('sha256', signed, privateKey).toString('base64'),
          ],
        ],
      };
    },
    accepts: ({ headers, body }, secret) => isAccepted(() => assertAccepted(headers, body, secret)),
  },
] satisfies Vector[];

function assertAccepted(
  headers: Parameters<typeof asObject>[0],
  body: Buffer,
  secret: string,
): void {
  const sent = asObject(headers);
  const library = new EventWebhook();
  const fits = library.verifySignature(
    library.convertPublicKeyToECDSA(secret),
    body,
    sent['x-twilio-email-event-webhook-signature'] ?? '',
    sent['x-twilio-email-event-webhook-timestamp'] ?? '',
  );
  if (!fits) throw new Error('the library refuses the signature');
}

export const published: Published[] = [
  {
    source:
      'https://github.com/sendgrid/sendgrid-nodejs/blob/main/packages/eventwebhook/src/eventwebhook.spec.js',
    secret:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==',
    headers: [
      ['X-Twilio-Email-Event-Webhook-Timestamp', '1600112502'],
      [
        'X-Twilio-Email-Event-Webhook-Signature',
        'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
      ],
    ],
    body: '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n',
  },
];
