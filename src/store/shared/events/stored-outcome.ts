import type { EventOutcome } from '../../../core/model.ts';

/** What a query returns of an event's attempts; null in each place without one. */
export type OutcomeColumn = [
  tries: number | null,
  succeededAt: number | null,
  responseCode: number | null,
];

export function outcomeOf([tries, succeededAt, responseCode]: OutcomeColumn): EventOutcome | null {
  return tries === null ? null : { responseCode, succeededAt, retries: Math.max(0, tries - 1) };
}
