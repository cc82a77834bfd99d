import type { RuleOutcome, RuleTrialAnswer, RuleTrialSample } from '../../api/rules/rule-answer.ts';
import { counted, formatCount } from '../../core/text/words.ts';

/** Returns a rule as text. The text is empty if there is no rule. */
export function ruleText(filter: unknown): string {
  if (filter === null) return '';
  return typeof filter === 'string' ? filter : JSON.stringify(filter);
}

/** Returns what a filter would have done with past events, as parts of one line. */
export function trialFacts({ tried, matched, dropped, changed_total }: RuleTrialAnswer): string[] {
  if (tried === 0) return ['There is no event to try it on.'];
  return [
    `${formatCount(tried)} tried`,
    counted(matched, 'matches', 'match'),
    counted(dropped, 'is dropped', 'are dropped'),
    changed_total === 0
      ? 'none changes sides'
      : counted(changed_total, 'changes sides', 'change sides'),
  ];
}

/**
 * Returns what saving a filter would change for the tried events: `34 of the last 1,000 would no
 * longer be delivered`. Returns an empty list if nothing would change.
 */
export function changeTexts({ tried, changed, changed_total }: RuleTrialAnswer): string[] {
  // The answer lists only the newest events whose outcome changes.
  const atLeast = changed.length < changed_total ? 'at least ' : '';
  const of = tried === 1 ? 'the only event' : `the last ${formatCount(tried)}`;
  const count = (outcome: RuleOutcome) => changed.filter(({ after }) => after === outcome).length;
  const [lost, won] = [count('dropped'), count('matched')];
  return [
    ...(lost > 0 ? [`${atLeast}${formatCount(lost)} of ${of} would no longer be delivered`] : []),
    ...(won > 0
      ? [`${atLeast}${formatCount(won)} of ${of} would be delivered, but aren’t now`]
      : []),
  ].map((text) => text.replace(/^./, (first) => first.toUpperCase()));
}

export const OUTCOME: Record<RuleOutcome, string> = { matched: 'delivered', dropped: 'dropped' };

/**
 * An error of a rule's operator, such as `$gt`, with the sample events whose values cause the
 * error.
 */
interface TrialFault {
  message: string;
  eventIds: string[];
}

/** Returns one fault for each message, in the order of the samples. */
export function trialFaults(samples: readonly RuleTrialSample[]): TrialFault[] {
  const byMessage = new Map<string, string[]>();
  for (const { event_id, error } of samples) {
    if (error !== undefined) byMessage.set(error, [...(byMessage.get(error) ?? []), event_id]);
  }
  return [...byMessage].map(([message, eventIds]) => ({ message, eventIds }));
}

/** Returns `12 events have a value that the filter can’t take.` */
export function faultCount(failed: number): string {
  return `${counted(failed, 'event')} ${failed === 1 ? 'has' : 'have'} a value that the filter can’t take.`;
}
