import { CodedNames, type NameOf } from '../coded-names.ts';
import type { Flow } from './flow.ts';

export const HEALTH_STATE = new CodedNames({ healthy: 0, failing: 1, open: 2 });
export type HealthState = NameOf<typeof HEALTH_STATE>;

/** A destination's flow as people see it. */
export interface Health {
  state: HealthState;
  /** When the breaker opened, or when the failures began. Null for a healthy destination. */
  since: number | null;
  consecutiveFailures: number;
  /** The time of the next probe. Null while no breaker is open. */
  nextProbeAt: number | null;
}

export function healthState({ breaker, failing }: Flow): HealthState {
  if (breaker) return 'open';
  return failing ? 'failing' : 'healthy';
}

export function healthOf(flow: Flow): Health {
  const { breaker, failing } = flow;
  return {
    state: healthState(flow),
    since: breaker?.since ?? failing?.since ?? null,
    consecutiveFailures: failing?.count ?? 0,
    nextProbeAt: breaker?.nextProbeAt ?? null,
  };
}
