import type { RuleTrial } from '../model/types.ts';
import { countText } from './format.ts';

/** A rule as it was written: text, or JSON. Empty without a rule. */
export function ruleText(filter: unknown): string {
  if (filter === null) return '';
  return typeof filter === 'string' ? filter : JSON.stringify(filter);
}

/** What a filter would have done with past events, in one line. */
export function trialText({ tried, matched, dropped, changed }: RuleTrial): string {
  if (tried === 0) return 'There is no event to try it on.';
  const sides =
    changed.length === 1 ? '1 changes sides' : `${countText(changed.length)} change sides`;
  const match = matched === 1 ? '1 matches' : `${countText(matched)} match`;
  const drop = dropped === 1 ? '1 is dropped' : `${countText(dropped)} are dropped`;
  return `${match}, ${drop}; ${sides}`;
}

/** The first value that an operator can't take, with its event; null without one. */
export function firstFault({ samples }: RuleTrial): string | null {
  const sample = samples.find(({ error }) => error !== undefined);
  return sample ? `${sample.event_id}: ${sample.error}` : null;
}
