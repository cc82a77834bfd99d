import type { Attempt } from '../../core/model.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { formatSize } from '../../core/text/size.ts';
import { formatTime } from '../../core/text/time.ts';
import { counted } from '../../core/text/words.ts';
import { type Case, type Neighbour, succeeded } from './case.ts';

/** An answer that takes this share of the deadline is slow. */
const SLOW_SHARE = 0.5;
/** How many successes a pattern needs. */
const MIN_SUCCESSES = 2;
/** The size from which a body counts as large, bytes. No service has a lower limit. */
const MIN_LARGE_BYTES = 32 * 1024;

export interface Pattern {
  text: string;
  step?: string;
}

export function stepsOf(patterns: readonly Pattern[]): string[] {
  return patterns.flatMap(({ step }) => step ?? []);
}

/**
 * Finds patterns over time in the attempts to one destination. Compares the attempts of this event
 * with those of the endpoint's other events at about the same time.
 *
 * @param own attempts of this event to one destination, oldest first, at least one
 * @param isLasting whether the last failure stays until somebody changes something
 */
export function patternsOf(own: readonly Attempt[], subject: Case, isLasting: boolean): Pattern[] {
  const [first] = own;
  if (!first) return [];
  const others = subject.neighbours.filter(
    ({ destinationId }) => destinationId === first.destinationId,
  );
  return [
    overOwnTime(own, isLasting),
    overNeighbours(own, others, subject, isLasting),
    slowness(own, others, subject),
  ].filter((pattern) => pattern !== null);
}

function overOwnTime(own: readonly Attempt[], isLasting: boolean): Pattern | null {
  const failed = own.filter((attempt) => !succeeded(attempt));
  const last = own.at(-1) as Attempt;
  if (failed.length === 0) return null;
  if (succeeded(last)) {
    return {
      text: `It recovered: attempt #${last.number} at ${clock(last)} succeeded after ${counted(failed.length, 'failure')}.`,
    };
  }
  if (own.length !== failed.length) {
    const success = own.findLast(succeeded) as Attempt;
    return {
      text: `It took this event before (attempt #${success.number} at ${clock(success)}) and now refuses it: something has changed.`,
    };
  }
  const kinds = [...new Set(failed.map(nameOf))];
  if (failed.length === 1) return null;
  const [first] = failed;
  const span = last.attemptedAt - (first as Attempt).attemptedAt;
  return kinds.length === 1
    ? {
        text: `${failed.length === 2 ? 'Both' : `All ${failed.length}`} attempts over ${formatDuration(span)} failed alike${isLasting ? ', so waiting alone will hardly help' : ''}.`,
      }
    : {
        text: `The ${failed.length} attempts over ${formatDuration(span)} failed in different ways (${kinds.join(', ')}): the service is unstable, or changed in between.`,
      };
}

function overNeighbours(
  own: readonly Attempt[],
  others: readonly Neighbour[],
  { event }: Case,
  isLasting: boolean,
): Pattern | null {
  const last = own.at(-1) as Attempt;
  if (succeeded(last) || others.length === 0) return null;
  const good = others.filter(({ isSuccess }) => isSuccess);
  const bad = others.filter(({ isSuccess }) => !isSuccess);
  if (good.length === 0) {
    return bad.length < MIN_SUCCESSES
      ? null
      : {
          text: `At about that time, ${counted(bad.length, 'attempt')} for other events failed, too, and none succeeded: the destination is at fault, not this event.`,
        };
  }
  if (good.length >= MIN_SUCCESSES && isOnlyLarge(event.size, good, bad)) {
    const largest = Math.max(...good.map(({ size }) => size));
    return {
      text: `Only large bodies fail: this one has ${formatSize(event.size)}, and the largest that succeeded had ${formatSize(largest)}.`,
      step: 'Compare body limits: of the framework, of the proxy in front, of a web application firewall.',
    };
  }
  const lastGood = Math.max(...good.map(({ attemptedAt }) => attemptedAt));
  const failures = [
    ...bad.map(({ attemptedAt }) => attemptedAt),
    ...own.filter((attempt) => !succeeded(attempt)).map(({ attemptedAt }) => attemptedAt),
  ];
  const firstBad = Math.min(...failures);
  if (lastGood < firstBad) {
    return {
      text: `It worked until ${formatTime(lastGood)} and has failed since ${formatTime(firstBad)}, for ${counted(failures.length, 'attempt')} in a row: find out what changed there between these times.`,
    };
  }
  if (
    lastGood > last.attemptedAt &&
    bad.every(({ attemptedAt }) => attemptedAt <= last.attemptedAt)
  ) {
    return {
      text: `Since then it has taken other events (the last at ${formatTime(lastGood)}): ${isLasting ? 'it was fixed meanwhile, or it rejects something about this event' : 'it is likely to take this one now'}.`,
    };
  }
  if (bad.length === 0) {
    return {
      text: `At about that time, ${counted(good.length, 'attempt')} for other events succeeded, so the service is up, and it rejects something about this event.`,
    };
  }
  return {
    text: `It fails now and then: at about that time, ${counted(good.length, 'attempt')} for other events succeeded, and ${bad.length} in between failed. One of several instances may be bad, or the service is overloaded.`,
  };
}

function isOnlyLarge(size: number, good: readonly Neighbour[], bad: readonly Neighbour[]): boolean {
  const largestGood = Math.max(...good.map((neighbour) => neighbour.size));
  return (
    size >= MIN_LARGE_BYTES &&
    size > largestGood * 2 &&
    bad.every((neighbour) => neighbour.size > largestGood)
  );
}

/**
 * Whether the service sent a status but never ended the body. The duration is then the deadline,
 * not the service's own time.
 */
export function isBrokenOff(
  { responseTruncated, error, durationMs }: Attempt,
  limitMs: number,
): boolean {
  return error !== null || (responseTruncated && durationMs >= limitMs);
}

function slowness(
  own: readonly Attempt[],
  others: readonly Neighbour[],
  { limits: { attemptTimeoutMs } }: Case,
): Pattern | null {
  const answered = [
    ...own
      .filter((attempt) => attempt.responseCode !== null && !isBrokenOff(attempt, attemptTimeoutMs))
      .map(({ durationMs }) => durationMs),
    ...others.filter(({ isSuccess }) => isSuccess).map(({ durationMs }) => durationMs),
  ];
  const slowest = Math.max(0, ...answered);
  if (slowest < attemptTimeoutMs * SLOW_SHARE) return null;
  return {
    text: `Its answers come close to the deadline: the slowest took ${formatDuration(slowest)} of ${formatDuration(attemptTimeoutMs)}.`,
    step: 'Make the handler answer first and work afterwards, before slow answers become timeouts.',
  };
}

/** Returns the error's code or the status: `connect_refused`, `503`. */
export function nameOf({ error, responseCode }: Attempt): string {
  return error?.code ?? String(responseCode ?? 'no answer');
}

function clock({ attemptedAt }: Attempt): string {
  return formatTime(attemptedAt) ?? '?';
}
