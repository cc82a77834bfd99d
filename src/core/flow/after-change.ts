import type { DestinationSettings } from '../settings/destination-settings.ts';
import { type Flow, RAMP_START } from './flow.ts';

export interface FlowChange {
  before: Pick<DestinationSettings, 'state' | 'breaker' | 'rate'>;
  after: Pick<DestinationSettings, 'state' | 'breaker' | 'rate'>;
  /** The URL, the secret or a header has changed, so the destination may work now. */
  mayWork: boolean;
  /** Deliveries wait for the destination. */
  hasWaiting: boolean;
  now: number;
}

/** Returns the flow of a destination after a person changed the destination. */
export function afterChange(flow: Flow, change: FlowChange): Flow {
  const { before, after, mayWork, hasWaiting, now } = change;
  const isResumed = before.state !== 'active' && after.state === 'active';
  const isFreed = flow.breaker !== null && after.breaker === 'off';
  const breaker = isFreed ? null : flow.breaker;
  return {
    ...flow,
    breaker: breaker && mayWork ? { ...breaker, nextProbeAt: now } : breaker,
    ramp: isFreed || (isResumed && hasWaiting && !breaker) ? RAMP_START : flow.ramp,
    // The starts were counted for a window of the old length.
    starts: before.rate?.per === after.rate?.per ? flow.starts : [],
  };
}
