import type { SenderSignature } from '../../../src/ai/diagnose/case.ts';
import { providerOf } from '../../../src/providers/providers.ts';
import type { ANSWERS, Expected } from './answer-table.ts';

/** Answers about a provider's own signature, which the event has. */
export const PROVIDER_ANSWERS: typeof ANSWERS = [
  [
    "Stripe's library, time, on a verified event",
    400,
    'Webhook Error: Timestamp outside the tolerance zone',
    {
      provider: 'stripe',
      signature: 'verified',
      after: 90,
      says: ["Stripe's own signature", 'late by design'],
      suggests: [],
      ordered: [
        '1. Let hookrelay sign each attempt as Stripe signs',
        'hookrelay destinations edit ep_1 dst_1 --sign-as provider',
        '2. Or send this one',
        'hookrelay replay evt_1 --to http://localhost:3000 --resign',
        '--generate-secret',
      ],
      never: ['259200', 'older signatures', '--source stripe'],
    },
  ],
  [
    "Stripe's library, time, where hookrelay signs as Stripe",
    400,
    'Webhook Error: Timestamp outside the tolerance zone',
    {
      provider: 'stripe',
      signature: 'verified',
      signAs: true,
      after: 90,
      says: ['one of the two clocks is wrong'],
      suggests: ['date -u'],
      never: ['--sign-as', '--generate-secret'],
    },
  ],
  [
    "a time, by Standard Webhooks' headers, beside hookrelay's own signature",
    400,
    'the webhook timestamp is too old',
    {
      provider: 'openai',
      signature: 'verified',
      isSigned: true,
      after: 90,
      says: ["OpenAI's own signature"],
      suggests: ['--sign-as provider --no-secret'],
    },
  ],
  [
    "Shopify's, in an app of Ruby",
    401,
    'Could not verify request HMAC',
    {
      provider: 'shopify',
      signature: 'verified',
      says: ['X-Shopify-Hmac-Sha256 of Shopify', 'hookrelay verified it'],
      suggests: [],
      ordered: [
        "1. Give the service the sender's secret: the app's client secret",
        '--generate-secret',
      ],
      never: ['has no signing secret'],
    },
  ],
  [
    "Shopify's, where hookrelay signs too",
    401,
    'Could not verify request HMAC',
    {
      provider: 'shopify',
      signature: 'unverified',
      isSigned: true,
      says: ['X-Shopify-Hmac-Sha256 of Shopify'],
      suggests: [],
      ordered: ["1. Give the service the sender's secret", 'rotate-secret'],
      never: ['hookrelay verified it'],
    },
  ],
  [
    "Slack's bare 401",
    401,
    '',
    {
      provider: 'slack',
      signature: 'verified',
      says: ["Slack's own signature (X-Slack-Signature)", 'says no more'],
      suggests: [],
      ordered: [
        "1. Give the service the sender's secret: the app's signing secret",
        '--generate-secret',
      ],
      never: ['has no signing secret', '--sign-as'],
    },
  ],
  [
    "Slack's bare 401 on a retry",
    401,
    '{"error":"Unauthorized"}',
    {
      provider: 'slack',
      signature: 'verified',
      after: 30,
      says: ['Or the signature is too old'],
      suggests: ['--sign-as provider'],
    },
  ],
  [
    'a bare 401 to a provider without known words',
    401,
    'Unauthorized',
    {
      provider: 'razorpay',
      signature: 'verified',
      says: ['X-Razorpay-Signature'],
      suggests: ["1. Give the service the sender's secret: the webhook's secret"],
    },
  ],
  [
    'a 401 that asks for a login',
    401,
    'Unauthorized',
    {
      provider: 'slack',
      signature: 'verified',
      headers: [['WWW-Authenticate', 'Basic realm="staging"']],
      says: ['(401, Basic)'],
      suggests: ['--header-file headers.txt'],
      never: ['X-Slack-Signature'],
    },
  ],
  [
    'a bare 401 to an event without a signature',
    401,
    '',
    {
      provider: 'slack',
      says: ['did not accept the credentials'],
      suggests: ['--generate-secret'],
    },
  ],
  [
    "a 403 to an event with its provider's signature",
    403,
    '',
    {
      provider: 'github',
      signature: 'unverified',
      says: ['refuses the request'],
      suggests: ["has GitHub's own signature (X-Hub-Signature-256)", 'the secret of the webhook'],
      never: ['has no signing secret'],
    },
  ],
];

/** Returns the signature of an expected answer's event. */
export function signatureOf({ provider, signature }: Expected): SenderSignature | null {
  const { header } = providerOf(provider ?? null)?.signature ?? {};
  const isVerified = signature === 'verified';
  return provider && header && signature
    ? { provider, header, isVerified, canResign: isVerified }
    : null;
}
