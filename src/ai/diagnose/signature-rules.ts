import { entryOf } from '../../core/entry-of.ts';
import { providerName } from '../../core/providers.ts';
import { lasted } from '../words.ts';
import type { Answer } from './answer.ts';
import type { Case, Target, Verdict } from './case.ts';
import { bodyStep, debugStep, replayStep, signStep } from './steps.ts';

/** Senders' own libraries allow this much between signing and checking, ms. */
const USUAL_TOLERANCE_MS = 300_000;

interface Scheme {
  header: string;
  /** Where the sender shows the secret that it signs with. */
  secret: string;
}

const SCHEMES: Record<string, Scheme> = {
  stripe: {
    header: 'Stripe-Signature',
    secret:
      'the signing secret of the webhook endpoint in Stripe that has this capture URL (each endpoint has its own, and so has "stripe listen")',
  },
  github: {
    header: 'X-Hub-Signature-256',
    secret: 'the secret of the webhook in the settings of the repository, organization or app',
  },
  slack: {
    header: 'X-Slack-Signature',
    secret: "the app's signing secret (Basic Information in Slack), not a token",
  },
  shopify: {
    header: 'X-Shopify-Hmac-Sha256',
    secret:
      "the app's client secret, or what the admin's notification settings show for webhooks made there",
  },
  twilio: { header: 'X-Twilio-Signature', secret: "the account's auth token" },
  discord: { header: 'X-Signature-Ed25519', secret: "the application's public key" },
};

const TOO_OLD =
  /timestamp (is )?outside (of )?the tolerance|message timestamp too (old|new)|(timestamp|request|webhook)\b.{0,30}\b(too old|expired|stale)|stale (request|timestamp)/i;
const NOT_RAW =
  /webhook payload must be provided as a string or a buffer|payload was provided as a parsed javascript object/i;

/** What only one sender's library says. */
const BY_LIBRARY: [RegExp, string][] = [
  [
    /no signatures found matching the expected signature|unable to extract timestamp and signatures|no stripe-signature header|no webhook payload was provided/i,
    'stripe',
  ],
  [/x-hub-signature|signature does not match event payload and secret/i, 'github'],
  [/twilio request validation failed|twilio.{0,40}(signature|validat)/i, 'twilio'],
  [/slack.{0,40}(signature|signing|verif)|(signature|verif).{0,40}slack/i, 'slack'],
  [
    /shopify.{0,40}(hmac|signature)|(invalid|bad|wrong) hmac|hmac.{0,30}(fail|invalid|match)/i,
    'shopify',
  ],
  [/invalid request signature/i, 'discord'],
];
const STANDARD_WEBHOOKS =
  /no matching signature found|missing required headers|required header missing/i;
const REJECTED =
  /\binvalid_signature\b|(invalid|bad|wrong|incorrect|missing|no|unverified|could not verify|failed to verify|cannot verify)\b[^.]{0,40}\bsignature|signature\b[^.]{0,60}\b(invalid|mismatch\w*|fail\w*|incorrect|missing|required|not valid|(does|did)(n't| not) match|not be verified)/i;

/** A rule on answers that reject a signature; null where the answer doesn't. */
export function signatureVerdict(answer: Answer, target: Target, subject: Case): Verdict | null {
  const { text } = answer;
  if (answer.status < 400) return null;
  const named = BY_LIBRARY.find(([pattern]) => pattern.test(text))?.[1] ?? null;
  if (TOO_OLD.test(text)) return tooOld(answer, named, target, subject);
  if (NOT_RAW.test(text)) return notRaw(subject);
  if (named !== null) return senders(named, target, subject);
  if (STANDARD_WEBHOOKS.test(text)) {
    return target.isSigned ? own(target, subject) : senders('standard-webhooks', target, subject);
  }
  if (!REJECTED.test(text)) return null;
  const { provider } = subject.event;
  // Slack's libraries and examples say it in this word.
  if (/\binvalid_signature\b/.test(text) && (provider ?? 'slack') === 'slack') {
    return senders('slack', target, subject);
  }
  if (target.isSigned) return own(target, subject);
  return provider === null ? unsigned(target, subject) : senders(provider, target, subject);
}

/** The time in `webhook-timestamp` of a signed destination is each attempt's; any other is the sender's. */
function tooOld(
  { attempt, text }: Answer,
  named: string | null,
  target: Target,
  subject: Case,
): Verdict {
  const isOwn = target.isSigned && named === null && /message timestamp/i.test(text);
  if (isOwn) {
    return {
      isLasting: true,
      cause:
        "The service checks hookrelay's own signature and finds its time too far off. hookrelay signs each attempt at its own time, so one of the two clocks is wrong.",
      steps: ['Compare the clocks, on both machines: date -u', replayStep(subject)],
    };
  }
  const provider =
    named ?? subject.event.provider ?? (/tolerance zone/i.test(text) ? 'stripe' : null);
  const age = attempt.attemptedAt - subject.event.receivedAt;
  return {
    isLasting: true,
    cause: `The service checks the time in ${possessive(provider)} own signature, which is when the sender signed, and allows only some minutes. ${
      age < USUAL_TOLERANCE_MS
        ? `This attempt came ${lasted(Math.max(0, age))} after the event, so the clock of the service is wrong, or the sender itself was late.`
        : `This attempt came ${lasted(age)} after the event: retries and replays are late by design, and each one is later still.`
    }`,
    steps: [
      provider === 'stripe'
        ? 'Allow more age where the service checks it, in seconds: stripe.webhooks.constructEvent(body, signature, secret, 259200)'
        : 'Allow more age where the service checks it: as long as deliveries are retried.',
      signStep(
        "Or let hookrelay sign each attempt with its own time, and verify webhook-signature (Standard Webhooks) instead of the sender's",
        target,
        subject,
      ),
      'Drop repeats by the webhook-id header; then old events do no harm.',
      replayStep(subject),
    ],
  };
}

function notRaw(subject: Case): Verdict {
  return {
    isLasting: true,
    cause:
      'The service parses the body before it checks the signature. A signature covers the exact bytes, so the check needs the raw body.',
    steps: [
      "Give that route the raw body: express.raw({ type: 'application/json' }) before express.json(), request.text() in Next.js, request.get_data() in Flask.",
      debugStep(subject),
    ],
  };
}

function senders(provider: string, target: Target, subject: Case): Verdict {
  const {
    header = 'the signature',
    secret = `the secret that ${providerName(provider)} signs with`,
  } = entryOf(SCHEMES, provider) ?? {};
  const came = subject.event.provider;
  const isOther = came !== null && came !== provider && provider in SCHEMES;
  const isTwilio = provider === 'twilio';
  return {
    isLasting: true,
    cause: [
      `The service checks the sender's signature (${header} of ${providerName(provider)}), and it does not match. That is not hookrelay's own signature: hookrelay passes the body and the sender's headers on unchanged.`,
      isOther
        ? `This event looks like one of ${providerName(came)}, so it has no signature of ${providerName(provider)}.`
        : isTwilio
          ? "Twilio's signature covers the URL that Twilio called, which is the capture URL and not the destination's."
          : 'Either the service has another secret, or it parses the body before it checks it.',
    ].join(' '),
    steps: [
      `Give the service the sender's secret: ${secret}.`,
      isTwilio
        ? 'Have the service check the signature against the capture URL, as it stands in Twilio: validateRequest(authToken, signature, captureUrl, params)'
        : "Check the raw body, before any parsing: express.raw({ type: 'application/json' }) for that route, for example.",
      signStep(
        "Or verify hookrelay's own signature (webhook-signature, Standard Webhooks) instead",
        target,
        subject,
      ),
      replayStep(subject),
    ],
  };
}

function own(target: Target, subject: Case): Verdict {
  return {
    isLasting: true,
    cause:
      "The service rejects the signature. This destination is signed by hookrelay (webhook-id, webhook-timestamp, webhook-signature), so the service has another secret than this destination, or parses the body before it checks it. If it checks a signature of the sender's, it needs the sender's secret.",
    steps: [
      "Give the service this destination's secret (whsec_…), and check the raw body, before any parsing.",
      signStep('If the secret was lost, take a new one', target, subject),
      bodyStep(subject),
      replayStep(subject),
    ],
  };
}

function unsigned(target: Target, subject: Case): Verdict {
  return {
    isLasting: true,
    cause:
      "The service wants a signature that does not come, or that it can't verify: this destination has no signing secret, so deliveries carry only what the sender signed, if it did.",
    steps: [
      signStep("If it wants hookrelay's signature", target, subject),
      "If it wants the sender's, give the service the sender's secret, and check the raw body.",
      replayStep(subject),
    ],
  };
}

function possessive(provider: string | null): string {
  return provider === null ? "the sender's" : `${providerName(provider)}'s`;
}
