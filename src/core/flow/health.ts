import { CodedNames, type NameOf } from '../coded-names.ts';
import type { Flow } from './flow.ts';

/** The smallest number of events refused in a row that makes a destination `refusing`. */
export const REFUSED_EVENTS = 3;

export const HEALTH_STATE = new CodedNames({ healthy: 0, failing: 1, open: 2, refusing: 3 });
export type HealthState = NameOf<typeof HEALTH_STATE>;

/** A destination's flow as people see it. */
export interface Health {
  state: HealthState;
  /**
   * When the breaker opened, or when the failures or refusals began. Null for a healthy destination.
   */
  since: number | null;
  consecutiveFailures: number;
  /** The time of the next probe. Null while no breaker is open. */
  nextProbeAt: number | null;
}

/**
 * Returns `failing` if the last attempt failed by the destination's fault. Returns `refusing` if
 * the destination answered the newest attempts of several events in a row, and took none of them.
 */
export function healthState({ breaker, failing, refusing }: Flow): HealthState {
  if (breaker) return 'open';
  if (failing) return 'failing';
  return refusing && refusing.events.length >= REFUSED_EVENTS ? 'refusing' : 'healthy';
}

export function healthOf(flow: Flow): Health {
  const { breaker, failing, refusing } = flow;
  const state = healthState(flow);
  const run = state === 'refusing' ? refusing : failing;
  return {
    state,
    since: breaker?.since ?? run?.since ?? null,
    consecutiveFailures: run?.count ?? 0,
    nextProbeAt: breaker?.nextProbeAt ?? null,
  };
}
