import {
  type DestinationHealth,
  FAILING,
  HEALTHY,
  UNTRIED,
} from '../../../core/flow/slot-class.ts';

/**
 * A destination's health in the column `timed_out` of both backends: null for untried,
 * false for healthy, true for failing. SQLite stores 0 and 1.
 */
export type HealthColumn = boolean | number | null;

export function healthOf(timedOut: HealthColumn): DestinationHealth {
  if (timedOut === null) return UNTRIED;
  return timedOut ? FAILING : HEALTHY;
}

/** @param health the health after an attempt: never untried */
export function healthColumn({ state }: DestinationHealth): boolean {
  return state === 'failing';
}
