import type { Attempt } from '../../core/model.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { formatTime } from '../../core/text/time.ts';
import { clean, counted, quoted } from '../../core/text/words.ts';
import { type Case, type CaseAttempt, caseAt, type Diagnosis, numbered } from './case.ts';
import { isBrokenOff, type Pattern, patternsOf, stepsOf } from './patterns.ts';
import { untriedFindings, untriedOf } from './untried-findings.ts';

/** At most this many destinations are described, one paragraph each. */
const MAX_DESTINATIONS = 5;
const MAX_BODY_EXCERPT = 160;

/**
 * Describes an event whose attempted deliveries all arrived in the end. Names answers that look
 * like a failure in spite of their status, and what the untried deliveries wait for.
 */
export function diagnoseSuccess(groups: readonly CaseAttempt[][], subject: Case): Diagnosis {
  const shown = groups.slice(0, MAX_DESTINATIONS).map((own) => {
    const last = own.at(-1) as CaseAttempt;
    const here = caseAt(subject, last.destinationId);
    return { last, doubts: doubtsOf(last, here), patterns: patternsOf(own, here, false) };
  });
  const lines = shown.map(({ last, doubts, patterns }) =>
    [
      `${clean(last.destinationUrl, 200)} took it with ${last.responseCode} in ${formatDuration(last.durationMs)}, at attempt #${last.number} (${formatTime(last.attemptedAt)}).`,
      ...[...doubts, ...patterns].map(({ text }) => text),
    ].join(' '),
  );
  const untried = untriedFindings(subject);
  const steps = [
    ...new Set(untried.flatMap(({ steps }) => steps)),
    ...new Set(shown.flatMap(({ doubts, patterns }) => stepsOf([...doubts, ...patterns]))),
    `If it should be delivered once more: hookrelay replay ${subject.event.id}`,
  ];
  const isDoubtful = shown.some(({ doubts }) => doubts.length > 0);
  return {
    diagnosis: [headOf(subject, isDoubtful), ...lines, ...untried.map(({ text }) => text)].join(
      '\n\n',
    ),
    suggestion: numbered(steps),
  };
}

function headOf(subject: Case, isDoubtful: boolean): string {
  const waiting = subject.deliveries.filter(({ state }) => state === 'pending').length;
  const ended = untriedOf(subject).some(({ state }) => state !== 'pending');
  if (ended) return 'Not every delivery of this event arrived.';
  if (waiting > 0) {
    return `Nothing has failed so far; ${counted(waiting, 'delivery')} of this event ${waiting === 1 ? 'is' : 'are'} still open.`;
  }
  return isDoubtful
    ? 'Every delivery of this event counts as taken, but not every answer looks like a success.'
    : 'Nothing is wrong with the deliveries of this event.';
}

function doubtsOf(last: Attempt, { limits: { attemptTimeoutMs } }: Case): Pattern[] {
  const doubts: Pattern[] = [];
  const body = last.responseBody ?? '';
  if (saysFailure(body)) {
    doubts.push({
      text: `Its body says that it failed: ${quoted(body, MAX_BODY_EXCERPT)}. hookrelay goes by the status alone, so it retries nothing.`,
      step: 'Have the service answer 4xx or 5xx where it does not take an event; then hookrelay retries.',
    });
  }
  if (isBrokenOff(last, attemptTimeoutMs)) {
    doubts.push({
      text: `The status came, but the body dripped: it did not end within ${formatDuration(attemptTimeoutMs)}. Meanwhile such a delivery holds its place, and others to this destination wait.`,
      step: 'End the response: a webhook needs a short answer, not a stream.',
    });
  }
  return doubts;
}

function saysFailure(body: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  const { ok, success, error, statusCode } = value as Record<string, unknown>;
  return (
    ok === false ||
    success === false ||
    (typeof error === 'string' && error !== '') ||
    (typeof statusCode === 'number' && statusCode >= 400)
  );
}
