import {
  FIVE_MINUTES,
  hmacVector,
  listed,
  milliseconds,
  timed,
  withPrefix,
} from '../../hmac-vector.ts';
import type { Vector } from '../../vector.ts';

/* Providers that sign the time too, each by its documentation. */

const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');

const BOX = {
  encoding: 'base64',
  signed: ({ body }: { body: Buffer }, time: string) => [body, time],
  time: iso,
  timeHeader: 'BOX-DELIVERY-TIMESTAMP',
  window: { pastS: 600, futureS: 600 },
} as const;

const LINEAR_BODY = (at: number) =>
  `{"action":"update","type":"Issue","webhookTimestamp":${at},"data":{"id":"1"}}`;

const linear = hmacVector({ header: 'Linear-Signature' });

export default {
  box: [
    hmacVector({ ...BOX, header: 'BOX-SIGNATURE-PRIMARY' }),
    hmacVector({
      ...BOX,
      name: 'the secondary key',
      header: 'BOX-SIGNATURE-SECONDARY',
      isVerifiedOnly: true,
    }),
  ],
  calendly: [
    hmacVector({
      header: 'Calendly-Webhook-Signature',
      signed: timed('.'),
      value: listed('t', 'v1'),
      window: { pastS: 180, futureS: null },
    }),
  ],
  linear: [
    {
      ...linear,
      sign(request, secret) {
        const body = Buffer.from(LINEAR_BODY(request.at));
        return { body, ...linear.sign({ ...request, body }, secret) };
      },
      window: { pastS: 60, futureS: 60 },
    },
    { ...linear, name: 'a body without a time' },
  ],
  lob: [
    hmacVector({
      header: 'Lob-Signature',
      signed: timed('.'),
      time: milliseconds,
      timeHeader: 'Lob-Signature-Timestamp',
      window: FIVE_MINUTES,
    }),
  ],
  mux: [
    hmacVector({
      header: 'Mux-Signature',
      signed: timed('.'),
      value: listed('t', 'v1'),
      window: { pastS: 300, futureS: null },
    }),
  ],
  paddle: [
    hmacVector({
      header: 'Paddle-Signature',
      signed: timed(':'),
      value: listed('ts', 'h1', ';'),
      window: { pastS: 5, futureS: null },
    }),
    hmacVector({
      name: 'two secrets in use',
      header: 'Paddle-Signature',
      signed: timed(':'),
      value: (signature, time) => `ts=${time};h1=${'0'.repeat(64)};h1=${signature}`,
      window: { pastS: 5, futureS: null },
    }),
  ],
  recurly: [
    hmacVector({
      header: 'recurly-signature',
      signed: timed('.'),
      time: milliseconds,
      value: (signature, time) => `${time},${signature}`,
      window: FIVE_MINUTES,
    }),
    hmacVector({
      name: 'two keys in use',
      header: 'recurly-signature',
      signed: timed('.'),
      time: milliseconds,
      value: (signature, time) => `${time},${'0'.repeat(64)},${signature}`,
      window: FIVE_MINUTES,
    }),
  ],
  sanity: [
    hmacVector({
      header: 'sanity-webhook-signature',
      encoding: 'base64url',
      signed: timed('.'),
      time: milliseconds,
      value: listed('t', 'v1'),
      window: FIVE_MINUTES,
    }),
  ],
  shippo: [
    hmacVector({
      header: 'Shippo-Auth-Signature',
      signed: timed('.'),
      value: listed('t', 'v1'),
      window: FIVE_MINUTES,
    }),
  ],
  tiktok: [
    hmacVector({
      header: 'TikTok-Signature',
      signed: timed('.'),
      value: listed('t', 's'),
      window: FIVE_MINUTES,
    }),
  ],
  webflow: [
    hmacVector({
      header: 'x-webflow-signature',
      signed: timed(':'),
      time: milliseconds,
      timeHeader: 'x-webflow-timestamp',
      window: FIVE_MINUTES,
    }),
  ],
  zendesk: [
    hmacVector({
      header: 'X-Zendesk-Webhook-Signature',
      encoding: 'base64',
      signed: timed(''),
      time: iso,
      timeHeader: 'X-Zendesk-Webhook-Signature-Timestamp',
      window: FIVE_MINUTES,
    }),
  ],
  zoom: [
    hmacVector({
      header: 'x-zm-signature',
      signed: ({ body }, time) => [`v0:${time}:`, body],
      timeHeader: 'x-zm-request-timestamp',
      value: withPrefix('v0='),
      window: FIVE_MINUTES,
    }),
  ],
} satisfies Record<string, readonly Vector[]>;
