import { entryOf } from '../../core/entry-of.ts';
import type { Attempt, Delivery } from '../../core/model.ts';
import { clean, counted, lasted, listed, opt, quoted, timed } from '../../core/words.ts';
import { answerOf, wordsOf } from './answer.ts';
import { answerVerdict } from './answer-verdict.ts';
import { type Case, type Diagnosis, numbered, succeeded, targetOf, type Verdict } from './case.ts';
import { diagnoseSuccess } from './diagnose-success.ts';
import { ERROR_RULES } from './error-rules.ts';
import { nameOf, patternsOf, stepsOf } from './patterns.ts';
import { diagnoseUntried } from './untried.ts';

/** Destinations that a diagnosis describes, one paragraph each. */
const MAX_DESTINATIONS = 5;
const MAX_EVIDENCE = 4;
const MAX_BODY_EXCERPT = 160;
const MAX_STEPS = 10;

/**
 * Explains why an event's deliveries failed, and what to do. Rules judge the
 * attempts, and the words address the destinations' operator. Pure.
 */
export function diagnoseEvent(subject: Case): Diagnosis {
  if (subject.attempts.length === 0) return diagnoseUntried(subject);
  const groups = [...Map.groupBy(subject.attempts, ({ destinationId }) => destinationId).values()];
  const failing = groups.filter((own) => !succeeded(own.at(-1) as Attempt));
  if (failing.length === 0) return diagnoseSuccess(groups, subject);
  const findings = failing.slice(0, MAX_DESTINATIONS).map((own) => examine(own, subject));
  const steps = [...new Set(findings.flatMap(({ steps }) => steps))].slice(0, MAX_STEPS);
  const more = failing.length - findings.length;
  return {
    diagnosis: [
      ...overDestinations(groups.length, failing, subject),
      ...findings.map(({ text }) => text),
      ...(more > 0 ? [`${counted(more, 'further destination')} failed, too.`] : []),
    ].join('\n\n'),
    suggestion: numbered(steps),
  };
}

/** Describes one destination's attempts: the evidence, the cause, the pattern over time and the next attempt. */
function examine(own: readonly Attempt[], subject: Case): { text: string; steps: string[] } {
  const last = own.at(-1) as Attempt;
  const verdict = verdictOf(last, subject);
  const patterns = patternsOf(own, subject, verdict.isLasting ?? false);
  return {
    text: [
      `${evidence(own)}`,
      verdict.cause,
      ...patterns.map(({ text }) => text),
      nextOf(last, subject),
    ]
      .filter((text) => text !== '')
      .join(' '),
    steps: [...verdict.steps.slice(0, -1), ...stepsOf(patterns), ...verdict.steps.slice(-1)],
  };
}

function verdictOf(attempt: Attempt, subject: Case): Verdict {
  const { error, responseCode, destinationUrl, destinationId } = attempt;
  const known = subject.destinations.find(({ id }) => id === destinationId);
  const target = targetOf(destinationUrl, destinationId, known?.isSigned ?? false);
  // With a status, an error describes how the rest of the answer broke.
  if (responseCode !== null) {
    const verdict = answerVerdict(answerOf(attempt, responseCode), target, subject);
    if (error?.code !== 'timeout') return verdict;
    const limit = lasted(subject.limits.attemptTimeoutMs);
    return {
      ...verdict,
      cause: `${verdict.cause} The status came, but the body dripped: it was not complete after ${limit}.`,
    };
  }
  const found = error ?? { code: 'unknown' as const, message: 'No answer.' };
  const rule = entryOf(ERROR_RULES, found.code) ?? ERROR_RULES.unknown;
  return rule(target, { ...found, message: clean(found.message, 200) }, subject);
}

/** The last attempts, with the destination's answer. */
function evidence(own: readonly Attempt[]): string {
  const last = own.at(-1) as Attempt;
  const shown = own.slice(-MAX_EVIDENCE).map((attempt) => {
    const again = attempt.trigger === 'replay' ? ' (replay)' : '';
    return `#${attempt.number}${again} at ${timed(attempt.attemptedAt)}: ${nameOf(attempt)} after ${lasted(attempt.durationMs)}`;
  });
  const earlier = own.length - shown.length;
  const words = clean(wordsOf(last.responseBody ?? ''), MAX_BODY_EXCERPT);
  const said = words === '' ? '' : ` It answered ${quoted(words, MAX_BODY_EXCERPT)}.`;
  const whose = `${counted(own.length, 'attempt')} to ${clean(last.destinationUrl, 200)}`;
  return `${whose}: ${earlier > 0 ? `${earlier} earlier, then ` : ''}${shown.join('; ')}.${said}`;
}

function nextOf(last: Attempt, subject: Case): string {
  const delivery = subject.deliveries.find(({ id }) => id === last.deliveryId);
  switch (delivery?.state) {
    case 'pending':
      return opt`The next attempt is due ${timed(delivery.nextAttemptAt ?? Number.NaN)}${delivery.nextAttemptAt !== null && delivery.nextAttemptAt < subject.now ? ', that is now' : ''}.`;
    case 'dead':
      return `The delivery is dead after ${counted(delivery.attempts, 'attempt')}: nothing more is tried unless it is replayed.`;
    case 'cancelled':
      return 'The delivery was cancelled, by a replay or because its destination was removed.';
    default:
      return subject.destinations.some(({ id }) => id === last.destinationId)
        ? ''
        : 'The destination has been removed since.';
  }
}

/** The pattern over several destinations. */
function overDestinations(all: number, failing: readonly Attempt[][], subject: Case): string[] {
  const untried = subject.deliveries.filter(
    ({ attempts, state }: Delivery) => attempts === 0 && state === 'pending',
  ).length;
  const waiting =
    untried > 0
      ? [
          `${counted(untried, 'delivery')} of this event ${untried === 1 ? 'waits' : 'wait'} for the first attempt.`,
        ]
      : [];
  if (all === 1) return waiting;
  if (failing.length < all) {
    return [
      `${failing.length} of ${all} destinations ${failing.length === 1 ? 'fails' : 'fail'}; the ${all - failing.length === 1 ? 'other' : 'others'} took the event, so the event itself is fine.`,
      ...waiting,
    ];
  }
  const kinds = [...new Set(failing.map((own) => nameOf(own.at(-1) as Attempt)))];
  const hosts = new Set(failing.map((own) => URL.parse(own[0]?.destinationUrl ?? '')?.host));
  const why =
    kinds.length > 1
      ? `each in its own way (${listed(kinds)})`
      : hosts.size > 1
        ? `alike (${kinds[0]}), though on different hosts: look at what they share, this server's network and DNS, or the event itself`
        : `alike (${kinds[0]}), on the same host`;
  return [`${all === 2 ? 'Both' : `All ${all}`} destinations fail, ${why}.`, ...waiting];
}
