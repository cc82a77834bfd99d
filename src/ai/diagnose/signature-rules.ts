import { formatDuration } from '../../core/text/duration.ts';
import { opt } from '../../core/text/words.ts';
import { providerName } from '../../providers/names.ts';
import { PROVIDERS, providerOf } from '../../providers/providers.ts';
import type { Rejection } from '../../providers/signing/signature.ts';
import type { Answered, Finding } from './rule.ts';
import { bodyStep, debugStep, signStep } from './steps.ts';

/** The age up to which senders' libraries accept a signature, ms. */
const USUAL_TOLERANCE_MS = 300_000;

const TOO_OLD =
  /timestamp (is )?outside (of )?the tolerance|message timestamp too (old|new)|(timestamp|request|webhook)\b.{0,30}\b(too old|expired|stale)|stale (request|timestamp)/i;
const NOT_RAW =
  /webhook payload must be provided as a string or a buffer|payload was provided as a parsed javascript object/i;

const STANDARD_WEBHOOKS =
  /no matching signature found|missing required headers|required header missing/i;
const REJECTED =
  /\binvalid_signature\b|(invalid|bad|wrong|incorrect|missing|no|unverified|could not verify|failed to verify|cannot verify)\b[^.]{0,40}\bsignature|signature\b[^.]{0,60}\b(invalid|mismatch\w*|fail\w*|incorrect|missing|required|not valid|(does|did)(n't| not) match|not be verified)/i;

/** Returns the finding if the answer rejects a signature, or null if it doesn't. */
export function signatureFinding(answer: Answered): Finding | null {
  const { text, isSigned } = answer;
  if (answer.status < 400) return null;
  const named =
    PROVIDERS.find(({ signature }) => signature?.rejection?.says.test(text))?.name ?? null;
  const note = noteOf(named ?? answer.event.provider);
  if (note !== null && (TOO_OLD.test(text) || /\btimestamp\b/i.test(text))) {
    return timeInBody(note);
  }
  if (TOO_OLD.test(text)) return tooOld(answer, named);
  if (NOT_RAW.test(text)) return PARSED_FIRST;
  const { provider } = answer.event;
  if (named !== null) return senders(named, provider);
  if (STANDARD_WEBHOOKS.test(text)) return isSigned ? OWN : senders('standard-webhooks', provider);
  if (!REJECTED.test(text)) return null;
  // Slack's libraries and examples use this word.
  if (/\binvalid_signature\b/.test(text) && (provider ?? 'slack') === 'slack') {
    return senders('slack', provider);
  }
  if (isSigned) return OWN;
  return provider === null ? UNSIGNED : senders(provider, provider);
}

/**
 * Returns the finding for a signature that is too old. hookrelay signs the time of each attempt,
 * but a sender signs the time of the event.
 */
function tooOld({ attempt, text, isSigned, event }: Answered, named: string | null): Finding {
  if (isSigned && named === null && /message timestamp/i.test(text)) {
    return {
      isLasting: true,
      cause:
        "The service checks hookrelay's own signature, and its time is too far off. hookrelay signs each attempt with the present time, so one of the two clocks is wrong.",
      steps: ['Compare the clocks, on both machines: date -u'],
    };
  }
  const provider = named ?? event.provider ?? (/tolerance zone/i.test(text) ? 'stripe' : null);
  const age = attempt.attemptedAt - event.receivedAt;
  const why =
    age < USUAL_TOLERANCE_MS
      ? `This attempt came ${formatDuration(Math.max(0, age))} after the event, so the clock of the service is wrong, or the sender itself was late.`
      : `This attempt came ${formatDuration(age)} after the event: retries and replays are late by design, and each one is later still.`;
  return {
    isLasting: true,
    cause: `The service checks the time in ${possessive(provider)} own signature, which is when the sender signed, and allows only some minutes. ${why}`,
    steps: [
      rejectionOf(provider)?.ageStep ??
        'Let the service accept older signatures, for as long as hookrelay retries.',
      signStep(
        "Or let hookrelay sign each attempt with its own time, and verify webhook-signature (Standard Webhooks) instead of the sender's",
      ),
      'Drop repeats by the webhook-id header; then old events do no harm.',
    ],
  };
}

/**
 * Returns the finding for a time in the body that is too old. No new signature helps.
 *
 * @param note see `Signature`
 */
function timeInBody(note: string): Finding {
  return {
    isLasting: true,
    cause: note,
    steps: [
      'Let the service check the signature alone, without the time, and drop repeats by the webhook-id header.',
      signStep("Or verify hookrelay's own signature (webhook-signature) instead of the sender's"),
    ],
  };
}

const PARSED_FIRST: Finding = {
  isLasting: true,
  cause:
    'The service parses the body before it checks the signature. A signature covers the exact bytes, so the check needs the raw body.',
  steps: [
    "Give that route the raw body: express.raw({ type: 'application/json' }) before express.json(), request.text() in Next.js, request.get_data() in Flask.",
    debugStep,
  ],
  replay: null,
};

/** @param came the provider that the event's headers name */
function senders(provider: string, came: string | null): Finding {
  const rejection = rejectionOf(provider);
  const header = (rejection && providerOf(provider)?.signature?.header) ?? 'the signature';
  const name = providerName(provider);
  const isOther = came !== null && came !== provider && rejection !== null;
  const note = noteOf(provider);
  const why = isOther
    ? `This event looks like one of ${providerName(came)}, so it has no signature of ${name}.`
    : (rejection?.cause ??
      `Either the service has another secret, or it parses the body before it checks the signature.${opt` ${note}`}`);
  return {
    isLasting: true,
    cause: `The service checks the sender's signature (${header} of ${name}), and it does not match. That is not hookrelay's own signature: hookrelay passes the body and the sender's headers on unchanged. ${why}`,
    steps: [
      `Give the service the sender's secret: ${rejection?.secret ?? `the secret that ${name} signs with`}.`,
      rejection?.step ??
        "Check the raw body, before any parsing: express.raw({ type: 'application/json' }) for that route, for example.",
      signStep(
        "Or verify hookrelay's own signature (webhook-signature, Standard Webhooks) instead",
      ),
    ],
  };
}

const OWN: Finding = {
  isLasting: true,
  cause:
    "The service rejects the signature. hookrelay signs this destination's deliveries (webhook-id, webhook-timestamp, webhook-signature), so the service has another secret, or it parses the body before it checks the signature. If it checks the sender's signature, it needs the sender's secret.",
  steps: [
    "Give the service this destination's secret (whsec_…), and check the raw body, before any parsing.",
    signStep('If the secret was lost, take a new one'),
    bodyStep,
  ],
};

const UNSIGNED: Finding = {
  isLasting: true,
  cause:
    "The service wants a signature that is missing, or that it can't verify. This destination has no signing secret, so deliveries have the sender's signature only, or none.",
  steps: [
    signStep("If it wants hookrelay's signature"),
    "If it wants the sender's, give the service the sender's secret, and check the raw body.",
  ],
};

function possessive(provider: string | null): string {
  return provider === null ? "the sender's" : `${providerName(provider)}'s`;
}

/** See `Signature.note`. */
function noteOf(provider: string | null): string | null {
  return providerOf(provider)?.signature?.note ?? null;
}

function rejectionOf(provider: string | null): Rejection | null {
  return providerOf(provider)?.signature?.rejection ?? null;
}
