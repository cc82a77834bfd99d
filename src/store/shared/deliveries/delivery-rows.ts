import { shownNextAttempt, waitsFor } from '../../../core/flow/waits-for.ts';
import type { Delivery } from '../../../core/model.ts';
import { stateOf, triggerOf, unjudgedOf } from '../codes.ts';
import { controlOf } from '../destinations/claimed-destination.ts';

/**
 * A delivery and its destination, for open and settled deliveries. SQLite reads booleans as 0 and
 * 1.
 */
export interface DeliveryRow {
  id: string;
  /** Null for a one-off URL. */
  destinationId: string | null;
  destinationUrl: string;
  trigger: number;
  state: number;
  attempts: number;
  /** Null for a settled delivery. */
  nextAttemptAt: number | null;
  /** Whether an earlier delivery of the same order key is open. */
  isBehind: boolean | number;
  /** Whether the delivery waits for a person. */
  isUnjudged: boolean | number;
  /** `events.unjudged`. */
  unjudged: number | null;
  /** JSON. */
  settings: string;
  flow: string | null;
}

export function deliveryOf(row: DeliveryRow, now: number): Delivery {
  const { id, destinationId, destinationUrl, attempts, nextAttemptAt } = row;
  const { settings, flow } = controlOf(row);
  const isBehind = Boolean(row.isBehind);
  const isUnjudged = Boolean(row.isUnjudged);
  const reason =
    nextAttemptAt === null
      ? null
      : waitsFor(settings, flow, { nextAttemptAt, isBehind, isUnjudged }, now);
  return {
    ...{ id, destinationId, destinationUrl, attempts },
    trigger: triggerOf(row.trigger),
    state: stateOf(row.state),
    nextAttemptAt: nextAttemptAt === null ? null : shownNextAttempt(reason, nextAttemptAt),
    waitsFor: reason,
    unjudged: unjudgedOf(row.unjudged),
  };
}
