import { entryOf } from '../../core/entry-of.ts';
import type { Attempt } from '../../core/model.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { formatTime } from '../../core/text/time.ts';
import { clean, counted, listed, quoted } from '../../core/text/words.ts';
import type { EventFailure } from '../event-input.ts';
import { answerOf, wordsOf } from './answer.ts';
import { answerFinding } from './answer-finding.ts';
import {
  type Case,
  type CaseAttempt,
  caseAt,
  type Diagnosis,
  destinationOf,
  numbered,
  type Standing,
  succeeded,
  targetOf,
} from './case.ts';
import { diagnoseSuccess } from './diagnose-success.ts';
import { ERROR_RULES } from './error-rules.ts';
import { nameOf, patternsOf, stepsOf } from './patterns.ts';
import { type FoundCause, found } from './rule.ts';
import { standingOf } from './standing.ts';
import { diagnoseUntried } from './untried.ts';
import { untriedFindings } from './untried-findings.ts';

/** At most this many destinations are described, one paragraph each. */
const MAX_DESTINATIONS = 5;
const MAX_EVIDENCE = 4;
const MAX_BODY_EXCERPT = 160;
const MAX_STEPS = 10;

/**
 * Explains why an event's deliveries failed, and what to do about it. Fixed rules judge the
 * attempts; no model takes part. The text addresses the operator of the destinations. Pure.
 */
export function diagnoseEvent(subject: Case): Diagnosis {
  if (subject.attempts.length === 0) return diagnoseUntried(subject);
  const groups = [...Map.groupBy(subject.attempts, ({ destinationId }) => destinationId).values()];
  const failing = groups.filter((own) => !succeeded(own.at(-1) as CaseAttempt));
  if (failing.length === 0) return diagnoseSuccess(groups, subject);
  const findings = [
    ...failing.slice(0, MAX_DESTINATIONS).map((own) => examine(own, subject)),
    ...untriedFindings(subject),
  ];
  const { failure } = subject.event;
  const all = [...findings.flatMap(({ steps }) => steps), ...senderSteps(subject)];
  const steps = [...new Set(all)].slice(0, MAX_STEPS);
  const more = failing.length - MAX_DESTINATIONS;
  return {
    diagnosis: [
      ...overDestinations(groups.length, failing),
      ...findings.map(({ text }) => text),
      ...(failure ? [senderText(failure)] : []),
      ...(more > 0 ? [`${counted(more, 'further destination')} failed, too.`] : []),
    ].join('\n\n'),
    suggestion: numbered(steps),
  };
}

/**
 * Says that the sender isn't proven. A service that checks the signature itself rightly refuses
 * such an event.
 */
function senderText({ reason, says }: EventFailure): string {
  return `The endpoint's source doesn't verify this event's sender (${reason}): ${says}. A service that checks the signature itself refuses the event for the same reason.`;
}

function senderSteps({ event: { failure } }: Case): string[] {
  return failure ? [`For the sender's signature: ${failure.hint}`] : [];
}

/**
 * Describes the attempts to one destination: what happened, why, the pattern over time, and the
 * next attempt.
 */
function examine(own: readonly CaseAttempt[], all: Case): Standing {
  const last = own.at(-1) as CaseAttempt;
  const subject = caseAt(all, last.destinationId);
  const { cause, steps, replay, isLasting } = causeOf(last, subject);
  const patterns = patternsOf(own, subject, isLasting);
  const next = nextOf(last, subject);
  const texts = [
    evidence(own),
    cause,
    ...patterns.map(({ text }) => text),
    probesText(own),
    next.text,
  ];
  return {
    text: texts.filter((text) => text !== '').join(' '),
    steps: [
      ...steps,
      ...stepsOf(patterns),
      // The next steps may replace the replay. A replay would go to all destinations, and wait as
      // long as the open delivery.
      ...(replay && !next.replacesReplay ? [replay] : []),
      ...next.steps,
    ],
  };
}

function causeOf(attempt: CaseAttempt, subject: Case): FoundCause {
  const { error, responseCode, destinationUrl, destinationId } = attempt;
  const known = destinationOf(subject, destinationId);
  const target = targetOf(destinationUrl, destinationId, known?.isSigned ?? false);
  // With a status, the error says how the rest of the answer broke off.
  if (responseCode !== null) {
    const answered = { ...subject, ...target, ...answerOf(attempt, responseCode) };
    const cause = found(answerFinding(answered), answered);
    if (error?.code !== 'timeout') return cause;
    const limit = formatDuration(subject.limits.attemptTimeoutMs);
    return {
      ...cause,
      cause: `${cause.cause} The status came, but the body dripped: it was not complete after ${limit}.`,
    };
  }
  const { code, message: text } = error ?? { code: 'unknown', message: 'No answer.' };
  const message = clean(text, 200);
  const rule = entryOf(ERROR_RULES, code) ?? ERROR_RULES.unknown;
  const finding = typeof rule === 'function' ? rule(message) : rule;
  return found(finding, { ...subject, ...target, message });
}

/** Describes the last attempts, with the destination's answer. */
function evidence(own: readonly Attempt[]): string {
  const last = own.at(-1) as CaseAttempt;
  const shown = own.slice(-MAX_EVIDENCE).map((attempt) => {
    const kinds = [
      ...(attempt.trigger === 'replay' ? ['replay'] : []),
      ...(attempt.probe ? ['probe'] : []),
    ];
    const kind = kinds.length > 0 ? ` (${kinds.join(', ')})` : '';
    return `#${attempt.number}${kind} at ${formatTime(attempt.attemptedAt)}: ${nameOf(attempt)} after ${formatDuration(attempt.durationMs)}`;
  });
  const earlier = own.length - shown.length;
  const words = clean(wordsOf(last.responseBody ?? ''), MAX_BODY_EXCERPT);
  const said = words === '' ? '' : ` It answered ${quoted(words, MAX_BODY_EXCERPT)}.`;
  const whose = `${counted(own.length, 'attempt')} to ${clean(last.destinationUrl, 200)}`;
  return `${whose}: ${earlier > 0 ? `${earlier} earlier, then ` : ''}${shown.join('; ')}.${said}`;
}

/** Says that failed probes cost no attempts. */
function probesText(own: readonly Attempt[]): string {
  const { deliveryId } = own.at(-1) as CaseAttempt;
  const probes = own.filter((attempt) => attempt.probe && attempt.deliveryId === deliveryId);
  if (probes.length === 0) return '';
  return probes.length === 1
    ? "One attempt probed the destination while its breaker was open: a failed probe doesn't count against the delivery's attempts."
    : `${probes.length} attempts probed the destination while its breaker was open: failed probes don't count against the delivery's attempts.`;
}

function nextOf(last: CaseAttempt, subject: Case): Standing {
  const delivery = subject.deliveries.find(({ id }) => id === last.deliveryId);
  if (delivery && delivery.state !== 'succeeded') return standingOf(delivery, last, subject);
  const isGone = destinationOf(subject, last.destinationId) === undefined;
  return { text: isGone ? 'The destination has been removed since.' : '', steps: [] };
}

function overDestinations(all: number, failing: readonly Attempt[][]): string[] {
  if (all === 1) return [];
  if (failing.length < all) {
    return [
      `${failing.length} of ${all} destinations ${failing.length === 1 ? 'fails' : 'fail'}; the ${all - failing.length === 1 ? 'other' : 'others'} took the event, so the event itself is fine.`,
    ];
  }
  const kinds = [...new Set(failing.map((own) => nameOf(own.at(-1) as CaseAttempt)))];
  const hosts = new Set(failing.map((own) => URL.parse(own[0]?.destinationUrl ?? '')?.host));
  const why =
    kinds.length > 1
      ? `each in its own way (${listed(kinds)})`
      : hosts.size > 1
        ? `alike (${kinds[0]}), though on different hosts: look at what they share, this server's network and DNS, or the event itself`
        : `alike (${kinds[0]}), on the same host`;
  return [`${all === 2 ? 'Both' : `All ${all}`} destinations fail, ${why}.`];
}
