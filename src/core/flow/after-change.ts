import type { DestinationSettings } from '../settings/destination-settings.ts';
import { type Flow, RAMP_START } from './flow.ts';

export interface FlowChange {
  before: Pick<DestinationSettings, 'state' | 'breaker' | 'rate'>;
  after: Pick<DestinationSettings, 'state' | 'breaker' | 'rate'>;
  /** True if the URL, the secret or a header changed. The destination may work again. */
  mayWork: boolean;
  /** True if deliveries wait for the destination. */
  hasWaiting: boolean;
  now: number;
}

export function afterChange(flow: Flow, change: FlowChange): Flow {
  const { before, after, mayWork, hasWaiting, now } = change;
  const isResumed = before.state !== 'active' && after.state === 'active';
  const isFreed = flow.breaker !== null && after.breaker === 'off';
  const breaker = isFreed ? null : flow.breaker;
  return {
    ...flow,
    breaker: breaker && mayWork ? { ...breaker, nextProbeAt: now } : breaker,
    ramp: isFreed || (isResumed && hasWaiting && !breaker) ? RAMP_START : flow.ramp,
    // A changed window length makes the counted starts meaningless.
    starts: before.rate?.per === after.rate?.per ? flow.starts : [],
  };
}
