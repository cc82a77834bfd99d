import { hmacVector, withPrefix } from '../../hmac-vector.ts';
import type { ToSign, Vector } from '../../vector.ts';

/* Providers that sign the body and nothing else, each by its documentation. */

/** Gitea and Gogs sign the JSON of a form's field. */
const IN_FORM = {
  name: 'as a form',
  body: `payload=${encodeURIComponent('{"ref":"refs/heads/ä","before":"0+1"}')}`,
  signed: ({ body }: ToSign) => [
    decodeURIComponent(body.toString().slice('payload='.length).replaceAll('+', ' ')),
  ],
};

export default {
  'adyen-platform': [hmacVector({ header: 'HmacSignature', encoding: 'base64', key: 'hex' })],
  aftership: [hmacVector({ header: 'aftership-hmac-sha256', encoding: 'base64' })],
  asana: [hmacVector({ header: 'X-Hook-Signature' })],
  bitbucket: [hmacVector({ header: 'X-Hub-Signature', value: withPrefix('sha256=') })],
  'cal-com': [hmacVector({ header: 'X-Cal-Signature-256' })],
  chargify: [hmacVector({ header: 'X-Chargify-Webhook-Signature-Hmac-Sha-256' })],
  'checkout-com': [hmacVector({ header: 'Cko-Signature' })],
  circleci: [hmacVector({ header: 'circleci-signature', value: withPrefix('v1=') })],
  clickup: [hmacVector({ header: 'X-Signature' })],
  'coinbase-commerce': [hmacVector({ header: 'X-CC-Webhook-Signature' })],
  docusign: [
    hmacVector({ header: 'X-DocuSign-Signature-1', encoding: 'base64' }),
    hmacVector({
      name: 'the key that was added last',
      header: 'X-DocuSign-Signature-100',
      encoding: 'base64',
      isVerifiedOnly: true,
    }),
  ],
  dropbox: [hmacVector({ header: 'X-Dropbox-Signature' })],
  dub: [hmacVector({ header: 'Dub-Signature' })],
  dwolla: [hmacVector({ header: 'X-Request-Signature-SHA-256' })],
  expo: [hmacVector({ header: 'expo-signature', hash: 'sha1', value: withPrefix('sha1=') })],
  fastspring: [hmacVector({ header: 'X-FS-Signature', encoding: 'base64' })],
  gocardless: [hmacVector({ header: 'Webhook-Signature' })],
  gitea: [
    hmacVector({
      header: 'X-Gitea-Signature',
      headers: [
        ['X-Gitea-Event', 'push'],
        ['X-Gogs-Event', 'push'],
        ['X-GitHub-Event', 'push'],
      ],
    }),
    hmacVector({ ...IN_FORM, header: 'X-Gitea-Signature' }),
  ],
  gogs: [
    hmacVector({ header: 'X-Gogs-Signature', headers: [['X-Gogs-Event', 'push']] }),
    hmacVector({ ...IN_FORM, header: 'X-Gogs-Signature' }),
  ],
  heroku: [hmacVector({ header: 'Heroku-Webhook-Hmac-SHA256', encoding: 'base64' })],
  intercom: [hmacVector({ header: 'X-Hub-Signature', hash: 'sha1', value: withPrefix('sha1=') })],
  jira: [hmacVector({ header: 'X-Hub-Signature', value: withPrefix('sha256=') })],
  launchdarkly: [hmacVector({ header: 'X-LD-Signature' })],
  'lemon-squeezy': [hmacVector({ header: 'X-Signature' })],
  linkedin: [hmacVector({ header: 'X-LI-Signature', signed: ({ body }) => ['hmacsha256=', body] })],
  mailersend: [hmacVector({ header: 'Signature' })],
  mailtrap: [hmacVector({ header: 'Mailtrap-Signature' })],
  meta: [
    hmacVector({ header: 'X-Hub-Signature-256', value: withPrefix('sha256=') }),
    hmacVector({
      name: 'SHA-1 alone',
      header: 'X-Hub-Signature',
      hash: 'sha1',
      value: withPrefix('sha1='),
      isVerifiedOnly: true,
    }),
  ],
  'microsoft-teams': [
    hmacVector({
      header: 'Authorization',
      encoding: 'base64',
      key: 'base64',
      value: withPrefix('HMAC '),
    }),
  ],
  'modern-treasury': [hmacVector({ header: 'X-Signature' })],
  mollie: [hmacVector({ header: 'X-Mollie-Signature', value: withPrefix('sha256=') })],
  notion: [hmacVector({ header: 'X-Notion-Signature', value: withPrefix('sha256=') })],
  npm: [hmacVector({ header: 'X-npm-Signature', value: withPrefix('sha256=') })],
  nylas: [hmacVector({ header: 'X-Nylas-Signature' })],
  onfleet: [hmacVector({ header: 'X-Onfleet-Signature', hash: 'sha512', key: 'hex' })],
  pagerduty: [hmacVector({ header: 'X-PagerDuty-Signature', value: withPrefix('v1=') })],
  paystack: [hmacVector({ header: 'x-paystack-signature', hash: 'sha512' })],
  pusher: [hmacVector({ header: 'X-Pusher-Signature', headers: [['X-Pusher-Key', 'k1']] })],
  quickbooks: [hmacVector({ header: 'intuit-signature', encoding: 'base64' })],
  razorpay: [hmacVector({ header: 'X-Razorpay-Signature' })],
  segment: [hmacVector({ header: 'X-Signature', hash: 'sha1' })],
  sentry: [
    hmacVector({
      header: 'Sentry-Hook-Signature',
      headers: [['Sentry-Hook-Timestamp', '1']],
    }),
  ],
  shopify: [hmacVector({ header: 'X-Shopify-Hmac-Sha256', encoding: 'base64' })],
  squarespace: [hmacVector({ header: 'Squarespace-Signature', key: 'hex' })],
  tally: [hmacVector({ header: 'Tally-Signature', encoding: 'base64' })],
  typeform: [
    hmacVector({ header: 'Typeform-Signature', encoding: 'base64', value: withPrefix('sha256=') }),
  ],
  vercel: [hmacVector({ header: 'x-vercel-signature', hash: 'sha1' })],
  woocommerce: [hmacVector({ header: 'X-WC-Webhook-Signature', encoding: 'base64' })],
  x: [
    hmacVector({
      header: 'X-Twitter-Webhooks-Signature',
      encoding: 'base64',
      value: withPrefix('sha256='),
    }),
  ],
  xero: [hmacVector({ header: 'x-xero-signature', encoding: 'base64' })],
} satisfies Record<string, readonly Vector[]>;
