import { styleText } from 'node:util';
import { formatDuration } from '../../../core/text/duration.ts';
import { outcomeText, pathText } from '../../events/event-line.ts';
import { dim, printable } from '../../terminal/output.ts';
import { type Forward, type ForwardOutcome, shortTarget } from '../forward/forward.ts';

export interface ForwardProgress {
  forward: Forward;
  /** Null while the forward waits, and if it has no target. */
  target: string | null;
  outcome: ForwardOutcome | null;
}

/**
 * Returns a printable text such as `POST /path → 200 (12 ms)`, with `…` for a missing outcome.
 *
 * @param options `namesTarget` adds the target, if there are several. `marksReplays` marks replays;
 *   it is false if all lines are replays
 */
export function forwardText(
  { forward, target, outcome }: ForwardProgress,
  { namesTarget, marksReplays = true }: { namesTarget: boolean; marksReplays?: boolean },
): string {
  const { event, trigger } = forward;
  const again = trigger === 'replay' && marksReplays ? `${styleText('cyan', 'again')} ` : '';
  const what = `${again}${printable(event.method)} ${pathText(event)}`;
  const where = outcome?.target ?? target;
  const named = namesTarget && where !== null ? `${dim(printable(shortTarget(where)))} ` : '';
  return `${what} → ${named}${resultText(outcome)}`;
}

function resultText(outcome: ForwardOutcome | null): string {
  if (!outcome) return dim('…');
  const { target, responseCode, error, durationMs } = outcome;
  if (target === null && !error) return dim('no route');
  if (responseCode === null && error && durationMs === 0) return styleText('red', error.code);
  return outcomeText(responseCode, error, durationMs);
}

/** Returns null if the status says enough. */
export function failureText({ error, durationMs }: ForwardOutcome): string | null {
  return error ? `${printable(error.message)} (after ${formatDuration(durationMs)})` : null;
}
