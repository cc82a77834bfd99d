import type { Provider } from '../provider.ts';
import { orSigned, withoutHeader } from '../signing/other-schemes.ts';
import { FIVE_MINUTES, ownSignatureIn, signatureIn } from '../signing/signed-by.ts';

/** Providers that sign the body and the time of sending. */
export const SIGNS_TIME: readonly Provider[] = [
  // https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events
  {
    name: 'airwallex',
    title: 'Airwallex',
    shapes: [
      (o) => (o('account_id') && o('created_at') && o('data', 'object') ? o('name') : undefined),
    ],
    typePaths: [['name']],
    once: { by: [['body.id']] },
    ...signatureIn('x-signature', "the webhook's secret", {
      signed: ['time', 'body'],
      time: { place: { header: 'x-timestamp' }, unit: 'ms', ...FIVE_MINUTES },
    }),
  },
  // https://developer.box.com/guides/webhooks/v2/signatures-v2/
  // Box also signs with a secondary key, so that a key can be replaced. Box's library accepts
  // deliveries up to 10 minutes old, and wants the version and the algorithm.
  {
    name: 'box',
    title: 'Box',
    marks: [
      { header: 'box-signature-primary', rank: 3 },
      { header: 'box-delivery-id', rank: 3 },
    ],
    typePaths: [['trigger']],
    ...orSigned(
      signatureIn('BOX-SIGNATURE-PRIMARY', "one of the app's two signature keys", {
        encoding: 'base64',
        signed: ['body', 'time'],
        beside: [
          ['BOX-SIGNATURE-VERSION', '1'],
          ['BOX-SIGNATURE-ALGORITHM', 'HmacSHA256'],
        ],
        time: {
          place: { header: 'BOX-DELIVERY-TIMESTAMP' },
          unit: 'iso',
          toleranceMs: 600_000,
          isTwoSided: true,
        },
      }),
      { header: 'BOX-SIGNATURE-SECONDARY' },
    ),
  },
  // https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/
  {
    name: 'cloudflare-stream',
    title: 'Cloudflare Stream',
    shapes: [
      (o) => (o('readyToStream') !== undefined && o('uid') ? o('status', 'state') : undefined),
    ],
    ...signatureIn('Webhook-Signature', "the webhook's secret", {
      form: { separator: ',', field: 'sig1' },
      signed: ['time', { text: '.' }, 'body'],
      time: { place: { field: 'time' }, unit: 's', ...FIVE_MINUTES },
    }),
  },
  // https://docs.customer.io/journeys/webhooks/
  {
    name: 'customer-io',
    title: 'Customer.io',
    typePaths: [['metric']],
    once: { by: [['body.event_id']] },
    ...ownSignatureIn('X-CIO-Signature', "the webhook's signing key", {
      signed: [{ text: 'v0:' }, 'time', { text: ':' }, 'body'],
      time: { place: { header: 'X-CIO-Timestamp' }, unit: 's', ...FIVE_MINUTES },
    }),
  },
  // https://elevenlabs.io/docs/eleven-api/resources/webhooks
  {
    name: 'elevenlabs',
    title: 'ElevenLabs',
    typePaths: [['type']],
    ...ownSignatureIn('ElevenLabs-Signature', "the webhook's secret", {
      form: { separator: ',', field: 'v0' },
      signed: ['time', { text: '.' }, 'body'],
      time: { place: { field: 't' }, unit: 's', toleranceMs: 1_800_000, isTwoSided: false },
    }),
  },
  // https://dev.frontapp.com/docs/application-webhooks
  // Webhooks of rules sign no time: https://dev.frontapp.com/docs/rule-webhooks
  {
    name: 'front',
    title: 'Front',
    typePaths: [['type']],
    ...withoutHeader(
      'X-Front-Request-Timestamp',
      ownSignatureIn('X-Front-Signature', "the app's secret, or the API secret of rules", {
        encoding: 'base64',
        signed: ['time', { text: ':' }, 'body'],
        time: { place: { header: 'X-Front-Request-Timestamp' }, unit: 'ms', ...FIVE_MINUTES },
      }),
      { algorithm: 'hmac-sha1', signed: ['body'], time: null },
    ),
  },
  // https://developers.klaviyo.com/en/docs/working_with_system_webhooks
  // The time is an HTTP date.
  {
    name: 'klaviyo',
    title: 'Klaviyo',
    ...ownSignatureIn('Klaviyo-Signature', "the webhook's secret key", {
      signed: ['body', 'time'],
      time: { place: { header: 'Klaviyo-Timestamp' }, unit: 'any', ...FIVE_MINUTES },
    }),
  },
  // https://docs.lob.com/#tag/Webhooks
  {
    name: 'lob',
    title: 'Lob',
    typePaths: [['event_type', 'id']],
    once: { by: [['body.id']] },
    ...ownSignatureIn('Lob-Signature', "the webhook's secret", {
      signed: ['time', { text: '.' }, 'body'],
      time: { place: { header: 'Lob-Signature-Timestamp' }, unit: 'ms', ...FIVE_MINUTES },
    }),
  },
  // https://www.mux.com/docs/core/verify-webhook-signatures
  {
    name: 'mux',
    title: 'Mux',
    typePaths: [['type']],
    once: { by: [['body.id']], varies: ['body.attempts'] },
    ...ownSignatureIn('Mux-Signature', "the webhook's signing secret", {
      form: { separator: ',', field: 'v1' },
      signed: ['time', { text: '.' }, 'body'],
      time: { place: { field: 't' }, unit: 's', toleranceMs: 300_000, isTwoSided: false },
    }),
  },
  // https://www.sanity.io/docs/content-lake/webhooks
  // Sanity's library doesn't check the age.
  {
    name: 'sanity',
    title: 'Sanity',
    ...ownSignatureIn('sanity-webhook-signature', "the webhook's secret", {
      encoding: 'base64url',
      form: { separator: ',', field: 'v1', isSingle: true },
      signed: ['time', { text: '.' }, 'body'],
      time: { place: { field: 't' }, unit: 'ms', ...FIVE_MINUTES },
    }),
  },
  // https://docs.goshippo.com/docs/tracking/webhooksecurity
  {
    name: 'shippo',
    title: 'Shippo',
    typePaths: [['event']],
    ...ownSignatureIn('Shippo-Auth-Signature', 'the HMAC secret that Shippo gave', {
      form: { separator: ',', field: 'v1', isSingle: true },
      signed: ['time', { text: '.' }, 'body'],
      time: { place: { field: 't' }, unit: 's', ...FIVE_MINUTES },
    }),
  },
  // https://developers.telnyx.com/docs/messaging/messages/receive-message#webhook-signing
  {
    name: 'telnyx',
    title: 'Telnyx',
    once: { by: [['body.data.id']], varies: ['body.meta'] },
    ...ownSignatureIn('Telnyx-Signature-Ed25519', "the account's public key", {
      algorithm: 'ed25519',
      key: 'base64',
      encoding: 'base64',
      signed: ['time', { text: '|' }, 'body'],
      time: { place: { header: 'Telnyx-Timestamp' }, unit: 's', ...FIVE_MINUTES },
    }),
  },
  // https://developers.tiktok.com/doc/webhooks-verification
  {
    name: 'tiktok',
    title: 'TikTok',
    typePaths: [['event']],
    ...ownSignatureIn('TikTok-Signature', "the app's client secret", {
      form: { separator: ',', field: 's', isSingle: true },
      signed: ['time', { text: '.' }, 'body'],
      time: { place: { field: 't' }, unit: 's', ...FIVE_MINUTES },
    }),
  },
  // https://developers.webflow.com/data/docs/working-with-webhooks
  {
    name: 'webflow',
    title: 'Webflow',
    typePaths: [['triggerType']],
    ...ownSignatureIn(
      'x-webflow-signature',
      "the webhook's secret key, or the app's client secret",
      {
        signed: ['time', { text: ':' }, 'body'],
        time: { place: { header: 'x-webflow-timestamp' }, unit: 'ms', ...FIVE_MINUTES },
      },
    ),
  },
  // https://workos.com/docs/events/data-syncing/webhooks
  // WorkOS's Python library splits the header at a comma and a blank.
  {
    name: 'workos',
    title: 'WorkOS',
    typePaths: [['event']],
    once: { by: [['body.id']] },
    ...ownSignatureIn('WorkOS-Signature', "the webhook endpoint's secret", {
      form: { separator: ',', field: 'v1', isSpaced: true },
      signed: ['time', { text: '.' }, 'body'],
      time: { place: { field: 't' }, unit: 'ms', toleranceMs: 180_000, isTwoSided: false },
    }),
  },
  // https://developer.zendesk.com/documentation/webhooks/verifying/
  {
    name: 'zendesk',
    title: 'Zendesk',
    ...ownSignatureIn('X-Zendesk-Webhook-Signature', "the webhook's signing secret", {
      encoding: 'base64',
      signed: ['time', 'body'],
      time: {
        place: { header: 'X-Zendesk-Webhook-Signature-Timestamp' },
        unit: 'iso',
        ...FIVE_MINUTES,
      },
    }),
  },
];
