import { challengeQuery } from '../handshaking/challenge-query.ts';
import { headRequest } from '../handshaking/head-request.ts';
import type { Provider } from '../provider.ts';
import { orSigned, withoutHeader } from '../signing/other-schemes.ts';
import { FIVE_MINUTES, noted, ownSignatureIn, signatureIn } from '../signing/signed-by.ts';

const GRAFANA_HEADER = 'X-Grafana-Alerting-Signature';
const GRAFANA_SECRET = "the contact point's HMAC secret";
const GRAFANA_TIME = 'x-grafana-alerting-signature-timestamp';
const GRAFANA = ownSignatureIn(GRAFANA_HEADER, GRAFANA_SECRET);
const GRAFANA_TIMED = withoutHeader(
  GRAFANA_TIME,
  ownSignatureIn(GRAFANA_HEADER, GRAFANA_SECRET, {
    signed: ['time', { text: ':' }, 'body'],
    time: {
      place: { header: 'X-Grafana-Alerting-Signature-Timestamp' },
      unit: 's',
      ...FIVE_MINUTES,
    },
  }),
  { signed: ['body'], time: null },
);

/** Providers that sign the body, but no time. */
export const SIGNS_BODY: readonly Provider[] = [
  // https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
  // Webhooks of platforms and banking.
  {
    name: 'adyen-platform',
    title: 'Adyen for Platforms',
    marks: [{ header: 'hmacsignature', rank: 2 }],
    ...signatureIn('HmacSignature', "the webhook's HMAC key", { key: 'hex', encoding: 'base64' }),
  },
  // https://www.aftership.com/docs/tracking/webhook/webhook-signature
  {
    name: 'aftership',
    title: 'AfterShip',
    typePaths: [['event']],
    once: { by: [['body.event_id']] },
    ...ownSignatureIn('aftership-hmac-sha256', "the account's webhook secret", {
      encoding: 'base64',
    }),
  },
  // https://developer.authorize.net/api/reference/features/webhooks.html
  // The documentation doesn't say whether the key is the text of the Signature Key, or the bytes
  // that its hexadecimal digits stand for. Requests that were seen use the text. Receivers in use
  // accept both.
  {
    name: 'authorize-net',
    title: 'Authorize.Net',
    typePaths: [['eventType']],
    once: { by: [['body.notificationId']] },
    ...orSigned(
      ownSignatureIn('X-ANET-Signature', "the merchant's Signature Key", {
        algorithm: 'hmac-sha512',
        isUpperCase: true,
        form: { prefix: 'sha512=' },
      }),
      { key: 'hex' },
    ),
  },
  // https://cal.com/docs/developing/guides/automation/webhooks
  {
    name: 'cal-com',
    title: 'Cal.com',
    typePaths: [['triggerEvent']],
    ...ownSignatureIn('X-Cal-Signature-256', "the webhook's secret"),
  },
  // https://docs.maxio.com/hc/en-us/articles/24266143173901-Webhooks-Overview
  {
    name: 'chargify',
    title: 'Chargify',
    typePaths: [['event']],
    once: { by: [['header.x-chargify-webhook-id']] },
    ...ownSignatureIn('X-Chargify-Webhook-Signature-Hmac-Sha-256', "the site's shared key"),
  },
  // https://www.checkout.com/docs/developer-resources/webhooks/manage-webhooks
  {
    name: 'checkout-com',
    title: 'Checkout.com',
    typePaths: [['type']],
    once: { by: [['body.id']] },
    ...ownSignatureIn('Cko-Signature', "the workflow action's signature key"),
  },
  // https://circleci.com/docs/outbound-webhooks/#validate-webhooks
  {
    name: 'circleci',
    title: 'CircleCI',
    marks: [{ header: 'circleci-event-type', isType: true, rank: 3 }],
    once: { by: [['body.id']] },
    ...signatureIn('circleci-signature', "the webhook's secret token", {
      form: { separator: ',', field: 'v1', isSingle: true },
    }),
  },
  // https://developer.clickup.com/docs/webhooksignature
  {
    name: 'clickup',
    title: 'ClickUp',
    shapes: [(o) => (o('webhook_id') && o('history_items') ? o('event') : undefined)],
    typePaths: [['event']],
    ...signatureIn('X-Signature', "the webhook's secret"),
  },
  // https://github.com/coinbase/coinbase-commerce-node#validating-webhook-signatures
  {
    name: 'coinbase-commerce',
    title: 'Coinbase Commerce',
    typePaths: [['event', 'type']],
    once: { by: [['body.event.id']] },
    ...ownSignatureIn('X-CC-Webhook-Signature', "the webhook's shared secret"),
  },
  // https://dub.co/docs/concepts/webhooks/introduction
  {
    name: 'dub',
    title: 'Dub',
    typePaths: [['event']],
    once: { by: [['body.id']] },
    ...ownSignatureIn('Dub-Signature', "the webhook's signing secret"),
  },
  // https://developers.dwolla.com/docs/working-with-webhooks
  {
    name: 'dwolla',
    title: 'Dwolla',
    marks: [
      { header: 'x-dwolla-topic', isType: true, rank: 4 },
      { header: 'x-request-signature-sha-256', rank: 3 },
    ],
    typePaths: [['topic']],
    once: { by: [['body.id']] },
    ...signatureIn('X-Request-Signature-SHA-256', "the webhook subscription's secret"),
  },
  // https://docs.expo.dev/eas/webhooks/
  {
    name: 'expo',
    title: 'Expo',
    ...ownSignatureIn('expo-signature', "the webhook's secret", {
      algorithm: 'hmac-sha1',
      form: { prefix: 'sha1=' },
    }),
  },
  // https://developer.fastspring.com/reference/message-security
  {
    name: 'fastspring',
    title: 'FastSpring',
    ...ownSignatureIn('X-FS-Signature', "the webhook's HMAC SHA256 secret", { encoding: 'base64' }),
  },
  // https://developer.gocardless.com/api-reference/#webhooks-signing-webhooks
  {
    name: 'gocardless',
    title: 'GoCardless',
    shapes: [
      (o) =>
        o('meta', 'webhook_id') && o('events')
          ? (o('events', '0', 'resource_type') ?? null)
          : undefined,
    ],
    once: { by: [['body.meta.webhook_id']] },
    ...signatureIn('Webhook-Signature', "the webhook endpoint's secret"),
  },
  // https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
  // A person who turns signing on may also name a header for the time, which Grafana then signs.
  // hookrelay knows that header by the name in Grafana's own example.
  {
    name: 'grafana',
    title: 'Grafana',
    shapes: [(o) => (o('orgId') && Array.isArray(o('alerts')) ? o('status') : undefined)],
    ...GRAFANA_TIMED,
    signature: {
      ...GRAFANA.signature,
      signer: {
        ...GRAFANA.signature.signer,
        sign(request, secret) {
          const isTimed = request.headers?.some(([name]) => name.toLowerCase() === GRAFANA_TIME);
          return (isTimed ? GRAFANA_TIMED : GRAFANA).signature.signer.sign(request, secret);
        },
      },
    },
  },
  // https://devcenter.heroku.com/articles/app-webhooks#securing-webhook-requests
  {
    name: 'heroku',
    title: 'Heroku',
    once: {
      by: [['body.webhook_metadata.event.id']],
      varies: ['body.webhook_metadata.attempt', 'body.webhook_metadata.delivery'],
    },
    ...ownSignatureIn('Heroku-Webhook-Hmac-SHA256', "the webhook's secret", { encoding: 'base64' }),
  },
  // https://launchdarkly.com/docs/home/infrastructure/webhooks
  {
    name: 'launchdarkly',
    title: 'LaunchDarkly',
    typePaths: [['kind']],
    once: { by: [['body._id']] },
    ...ownSignatureIn('X-LD-Signature', "the webhook's secret"),
  },
  // https://docs.lemonsqueezy.com/help/webhooks/signing-requests
  {
    name: 'lemon-squeezy',
    title: 'Lemon Squeezy',
    shapes: [
      (o) => (o('meta', 'event_name') && o('data', 'type') ? o('meta', 'event_name') : undefined),
    ],
    typePaths: [['meta', 'event_name']],
    mode: { path: ['meta', 'test_mode'], live: false, test: true },
    ...signatureIn('X-Signature', "the webhook's signing secret"),
  },
  // https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/
  {
    name: 'line',
    title: 'LINE',
    ...ownSignatureIn('X-Line-Signature', 'the channel secret', { encoding: 'base64' }),
  },
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook
  // Outgoing webhooks.
  {
    name: 'microsoft-teams',
    title: 'Microsoft Teams',
    shapes: [(o) => (o('channelData', 'tenant', 'id') && o('serviceUrl') ? o('type') : undefined)],
    typePaths: [['type']],
    ...signatureIn('Authorization', "the outgoing webhook's security token", {
      key: 'base64',
      encoding: 'base64',
      form: { prefix: 'HMAC ' },
    }),
  },
  // https://developers.mailersend.com/api/v1/webhooks.html#security
  {
    name: 'mailersend',
    title: 'MailerSend',
    shapes: [(o) => (o('webhook_id') && o('domain_id') ? o('type') : undefined)],
    typePaths: [['type']],
    ...signatureIn('Signature', "the webhook's signing secret"),
  },
  // https://docs.mailtrap.io/email-api-smtp/advanced/webhooks
  // A body has several events. With JSON Lines, each line is one.
  {
    name: 'mailtrap',
    title: 'Mailtrap',
    shapes: [
      (o) => {
        if (!o('events', '0', 'event_id')) return undefined;
        return o('events', '1') === undefined ? o('events', '0', 'event') : null;
      },
      (o) => (o('event_id') && o('sending_stream') ? o('event') : undefined),
    ],
    ...ownSignatureIn('Mailtrap-Signature', "the webhook's signing secret"),
  },
  // https://docs.moderntreasury.com/platform/reference/webhooks
  {
    name: 'modern-treasury',
    title: 'Modern Treasury',
    ...signatureIn('X-Signature', "the webhook endpoint's key"),
  },
  // https://docs.mollie.com/reference/webhooks-new
  // Next-generation webhooks. Mollie sends the header twice while a secret rotates.
  {
    name: 'mollie',
    title: 'Mollie',
    typePaths: [['type']],
    once: { by: [['body.id']] },
    ...ownSignatureIn('X-Mollie-Signature', "the webhook's signing secret", {
      form: { prefix: 'sha256=' },
    }),
  },
  // https://docs.npmjs.com/cli/commands/npm-hook
  {
    name: 'npm',
    title: 'npm',
    typePaths: [['event']],
    ...ownSignatureIn('X-npm-Signature', "the hook's secret", { form: { prefix: 'sha256=' } }),
  },
  // https://developer.nylas.com/docs/v3/notifications/
  {
    name: 'nylas',
    title: 'Nylas',
    typePaths: [['type']],
    once: { by: [['body.id']], varies: ['body.webhook_delivery_attempt'] },
    handshakes: [
      /** https://developer.nylas.com/docs/v3/notifications/ */
      challengeQuery('challenge', 'Nylas checks that this URL is yours before it sends events.'),
    ],
    ...ownSignatureIn('X-Nylas-Signature', "the webhook's secret"),
  },
  // https://docs.onfleet.com/reference/secrets
  {
    name: 'onfleet',
    title: 'Onfleet',
    handshakes: [
      /** https://docs.onfleet.com/reference/create-webhook */
      challengeQuery('check', 'Onfleet checks that this URL is yours before it sends events.'),
    ],
    ...ownSignatureIn('X-Onfleet-Signature', 'the webhook secret', {
      algorithm: 'hmac-sha512',
      key: 'hex',
    }),
  },
  // https://paystack.com/docs/payments/webhooks/#verify-event-origin
  {
    name: 'paystack',
    title: 'Paystack',
    typePaths: [['event']],
    ...ownSignatureIn('x-paystack-signature', "the account's secret key", {
      algorithm: 'hmac-sha512',
    }),
  },
  // https://pusher.com/docs/channels/server_api/webhooks/#authentication
  // The key is the secret of the app key in `X-Pusher-Key`.
  {
    name: 'pusher',
    title: 'Pusher',
    ...noted(
      ownSignatureIn('X-Pusher-Signature', "the app key's secret"),
      "Pusher's Python library also checks the time in the body (time_ms). So it refuses events older than five minutes, even with a new signature.",
    ),
  },
  // https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks
  {
    name: 'quickbooks',
    title: 'QuickBooks',
    ...ownSignatureIn('intuit-signature', "the app's verifier token", { encoding: 'base64' }),
  },
  // https://razorpay.com/docs/webhooks/validate-test/
  {
    name: 'razorpay',
    title: 'Razorpay',
    shapes: [(o) => (o('entity') === 'event' && o('account_id') ? o('event') : undefined)],
    typePaths: [['event']],
    deliveryIdHeader: 'x-razorpay-event-id',
    once: { by: [['header.x-razorpay-event-id']] },
    ...ownSignatureIn('X-Razorpay-Signature', "the webhook's secret"),
  },
  // https://segment.com/docs/connections/destinations/catalog/actions-webhook/
  // Webhook destinations.
  {
    name: 'segment',
    title: 'Segment',
    shapes: [
      (o) =>
        o('messageId') && (o('anonymousId') ?? o('userId')) !== undefined ? o('type') : undefined,
    ],
    typePaths: [['type']],
    once: { by: [['body.messageId']] },
    ...signatureIn('X-Signature', "the destination's shared secret", { algorithm: 'hmac-sha1' }),
  },
  // https://developers.squarespace.com/webhooks/verifying-notifications
  {
    name: 'squarespace',
    title: 'Squarespace',
    typePaths: [['topic']],
    once: { by: [['body.id']] },
    ...ownSignatureIn('Squarespace-Signature', "the webhook subscription's secret", { key: 'hex' }),
  },
  // https://tally.so/help/webhooks
  {
    name: 'tally',
    title: 'Tally',
    typePaths: [['eventType']],
    once: { by: [['body.eventId']] },
    ...ownSignatureIn('Tally-Signature', "the webhook's signing secret", { encoding: 'base64' }),
  },
  // https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/#webhook-signatures
  // The signature covers the URL exactly as it was registered.
  {
    name: 'trello',
    title: 'Trello',
    typePaths: [['action', 'type']],
    once: { by: [['body.action.id']] },
    handshakes: [
      /** https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/#creating-a-webhook */
      headRequest('Trello checks that this URL exists before it sends events.'),
    ],
    ...ownSignatureIn('X-Trello-Webhook', "the app's secret", {
      algorithm: 'hmac-sha1',
      encoding: 'base64',
      signed: ['body', 'url'],
    }),
  },
];
