import {
  type DestinationHealth,
  FAILING,
  HEALTHY,
  UNTRIED,
} from '../../core/destination-health.ts';
import type { ClaimedDestination } from '../contract/claims.ts';

/**
 * A destination's health as both backends store it, in the column `timed_out`:
 * null for untried, false for healthy, true for failing. SQLite has 0 and 1.
 */
export type HealthColumn = boolean | number | null;

export function healthOf(timedOut: HealthColumn): DestinationHealth {
  if (timedOut === null) return UNTRIED;
  return timedOut ? FAILING : HEALTHY;
}

/** @param health after an attempt: never untried */
export function healthColumn({ state }: DestinationHealth): boolean {
  return state === 'failing';
}

/** What a claim says of its destination, as a row. */
export interface ClaimedDestinationRow extends Omit<ClaimedDestination, 'health'> {
  timedOut: HealthColumn;
}

/** Drops the other columns of the row. */
export function claimedDestination(row: ClaimedDestinationRow): ClaimedDestination {
  const { key, id, timedOut } = row;
  return { key, id, health: healthOf(timedOut) };
}
