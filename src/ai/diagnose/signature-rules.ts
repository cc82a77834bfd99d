import { formatDuration } from '../../core/text/duration.ts';
import { opt } from '../../core/text/words.ts';
import { providerName } from '../../providers/names.ts';
import { PROVIDERS, providerOf } from '../../providers/providers.ts';
import type { Answered, Finding } from './rule.ts';
import { resignSteps, signsAsProvider, sourceStep } from './sender-signature.ts';
import { bodyStep, debugStep, headerStep, signStep } from './steps.ts';

/** The age up to which senders' libraries accept a signature, ms. */
const USUAL_TOLERANCE_MS = 300_000;

const TOO_OLD =
  /timestamp (is )?outside (of )?the tolerance|message timestamp too (old|new)|(timestamp|request|webhook)\b.{0,30}\b(too old|expired|stale)|stale (request|timestamp)/i;
const NOT_RAW =
  /webhook payload must be provided as a string or a buffer|payload was provided as a parsed javascript object/i;

const STANDARD_WEBHOOKS =
  /no matching signature found|missing required headers|required header missing/i;
const REJECTED =
  /\binvalid_signature\b|(invalid|bad|wrong|incorrect|missing|no|unverified|could not verify|failed to verify|cannot verify)\b[^.]{0,40}\b(signature|hmac)|(signature|hmac)\b[^.]{0,60}\b(invalid|mismatch\w*|fail\w*|incorrect|missing|required|not valid|(does|did)(n't| not) match|not be verified)/i;

/** The words of a 401 that gives no reason. */
const BARE_WORDS: ReadonlySet<string> = new Set(
  'error message detail status code 401 unauthorized unauthorised invalid request'.split(' '),
);

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
  const { provider, signature } = answer.event;
  if (named !== null) return senders(named, answer);
  if (STANDARD_WEBHOOKS.test(text)) return isSigned ? OWN : senders('standard-webhooks', answer);
  if (!REJECTED.test(text)) return isBare(answer) ? bare(answer) : null;
  // Slack's libraries and examples use this word.
  if (/\binvalid_signature\b/.test(text) && (provider ?? 'slack') === 'slack') {
    return senders('slack', answer);
  }
  if (signature) return senders(signature.provider, answer);
  if (isSigned) return OWN;
  return provider === null ? UNSIGNED : senders(provider, answer);
}

/**
 * Returns true if a 401 gives no other reason than the signature that the event came with. Slack's
 * library, for example, answers 401 without a word.
 */
function isBare({ status, text, header, event }: Answered): boolean {
  return (
    status === 401 &&
    event.signature !== null &&
    header('www-authenticate') === '' &&
    text.split(/\W+/).every((word) => word === '' || BARE_WORDS.has(word.toLowerCase()))
  );
}

function bare(answer: Answered): Finding {
  const { provider, header } = answer.event.signature ?? { provider: '', header: '' };
  const checked = senders(provider, answer);
  return {
    ...checked,
    cause: `The service did not accept the credentials of the request (401), and says no more. The event has ${providerName(provider)}'s own signature (${header}), so most likely the service checks it and has another secret, or parses the body first.${isLate(answer) ? ' Or the signature is too old: it has the time of the event.' : ''}`,
    steps: [...checked.steps, headerStep, bodyStep],
  };
}

/**
 * Returns the finding for a signature that is too old. hookrelay signs the time of each attempt,
 * but a sender signs the time of the event.
 */
function tooOld(answer: Answered, named: string | null): Finding {
  const { attempt, text, isSigned, event } = answer;
  if (isSigned && named === null && /message timestamp/i.test(text)) {
    return {
      isLasting: true,
      cause:
        "The service checks hookrelay's own signature, and its time is too far off. hookrelay signs each attempt with the present time, so one of the two clocks is wrong.",
      steps: ['Compare the clocks, on both machines: date -u'],
    };
  }
  if (signsAsProvider(answer)) return WRONG_CLOCK;
  const provider = named ?? event.provider ?? (/tolerance zone/i.test(text) ? 'stripe' : null);
  const age = attempt.attemptedAt - event.receivedAt;
  const isEarly = age < USUAL_TOLERANCE_MS;
  const why = isEarly
    ? `This attempt came ${formatDuration(Math.max(0, age))} after the event, so the clock of the service is wrong, or the sender itself was late.`
    : `This attempt came ${formatDuration(age)} after the event: retries and replays are late by design, and each one is later still.`;
  return {
    isLasting: true,
    cause: `The service checks the time in ${possessive(provider)} own signature, which is when the sender signed, and allows only some minutes. ${why} The limit protects the service from copies of old requests, so it should stay.`,
    steps: [
      ...resignSteps(answer),
      isEarly ? 'Compare the clocks, on both machines: date -u' : '',
      provider === null ? '' : sourceStep(answer, provider),
      signStep(
        "Or let hookrelay sign each attempt with its own time, and verify webhook-signature (Standard Webhooks) instead of the sender's",
      ),
      'Drop repeats by the webhook-id header, which stays the same on every attempt.',
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
      signStep("Verify hookrelay's own signature (webhook-signature) instead of the sender's"),
      'Drop repeats by the webhook-id header, which stays the same on every attempt.',
    ],
  };
}

const WRONG_CLOCK: Finding = {
  isLasting: true,
  cause:
    "hookrelay signs this destination's attempts as their provider signs (sign_as), with the present time. So one of the two clocks is wrong, the attempt is from before sign_as was set, or the service checks a time inside the body, which no signature can renew.",
  steps: ['Compare the clocks, on both machines: date -u'],
};
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

/** @param provider the provider whose signature the service checks */
function senders(provider: string, answer: Answered): Finding {
  const came = answer.event.provider;
  const { rejection, header = 'the signature' } = providerOf(provider)?.signature ?? {};
  const name = providerName(provider);
  const note = noteOf(provider);
  const secret =
    rejection?.secret ??
    providerOf(provider)?.proof?.secret ??
    `the secret that ${name} signs with`;
  const isOther = came !== null && came !== provider && rejection !== undefined;
  const why = isOther
    ? `This event looks like one of ${providerName(came)}, so it has no signature of ${name}.`
    : (rejection?.cause ??
      `Either the service has another secret, or it parses the body before it checks the signature.${opt` ${note}`}`);
  const isProven = answer.event.signature?.isVerified && !isOther;
  const whose = signsAsProvider(answer)
    ? "hookrelay signs this destination's attempts as the provider signs (sign_as), with the secret of the endpoint's source."
    : `That is not hookrelay's own signature: hookrelay passes the body and the sender's headers on unchanged.${isProven ? ' hookrelay verified it with the secret of the endpoint, so the signature itself is right.' : ''}`;
  return {
    isLasting: true,
    cause: `The service checks the sender's signature (${header} of ${name}), and it does not match. ${whose} ${why}`,
    steps: [
      `Give the service the sender's secret: ${secret}.`,
      rejection?.step ??
        "Check the raw body, before any parsing: express.raw({ type: 'application/json' }) for that route, for example.",
      // A service's words don't always tell a wrong signature from an old one.
      ...(isLate(answer) ? resignSteps(answer) : []),
      signStep(
        "Or verify hookrelay's own signature (webhook-signature, Standard Webhooks) instead",
      ),
    ],
  };
}

/** Returns true if the provider's own library takes the event's signature for too old. */
function isLate({ attempt, event }: Answered): boolean {
  const { time } = providerOf(event.signature?.provider ?? null)?.signature?.scheme ?? {};
  return !!time && attempt.attemptedAt - event.receivedAt > time.toleranceMs;
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
