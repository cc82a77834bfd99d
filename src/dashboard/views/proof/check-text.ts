import type { SourceCheckAnswer } from '../../../api/sources/source-check-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { reasonText } from '../../text/verification-text.ts';

/** Returns the result of a check as a sentence. */
export function checkText({ checked, verified, skipped }: SourceCheckAnswer): string {
  if (checked + skipped === 0) return 'There is no event to check.';
  if (checked === 0) return 'No event could be checked.';
  if (checked === 1) return verified === 1 ? 'The only event passes.' : 'The only event fails.';
  if (verified === checked) return `All ${counted(checked, 'event')} pass.`;
  if (verified === 0) return `None of ${counted(checked, 'event')} passes.`;
  return `${formatCount(verified)} of ${counted(checked, 'event')} ${verified === 1 ? 'passes' : 'pass'}.`;
}

export interface FailedRow {
  reason: string;
  count: number;
  says: string;
  todo: string;
}

/** Returns the reasons why events fail, the most frequent reason first. */
export function failedRows({ failed }: SourceCheckAnswer): FailedRow[] {
  return Object.entries(failed)
    .map(([reason, count]) => ({ reason, count, ...reasonText(reason) }))
    .sort((a, b) => b.count - a.count);
}

/** Returns which events the check skipped. Returns an empty text if it checked all events. */
export function leftOutText({ skipped, ended_early }: SourceCheckAnswer): string {
  const parts = [
    ...(skipped > 0
      ? [`${counted(skipped, 'event')} left out: edited copies, checks of the URL, large bodies.`]
      : []),
    ...(ended_early ? ['Time ran out before the older events.'] : []),
  ];
  return parts.join(' ');
}

/** Returns what enforcement would have done to the checked events. */
export function refusedText({ checked, verified }: SourceCheckAnswer): string {
  const refused = checked - verified;
  if (checked === 0) return 'There is no past event to judge by.';
  if (checked === 1) {
    return `The only past event would have ${refused === 0 ? 'passed' : 'been refused'}.`;
  }
  if (refused === 0) return `All of the newest ${counted(checked, 'event')} would have passed.`;
  return `${formatCount(refused)} of the newest ${counted(checked, 'event')} would have been refused.`;
}
