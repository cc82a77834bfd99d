import type { Flow } from './flow.ts';

/** The range of all times. */
export const ALWAYS = { after: Number.MIN_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER };

/**
 * Returns the flow after somebody set the wall clock forward by `byMs` (negative: back). Otherwise
 * probes and holds would come too early or too late.
 *
 * @param only the times to shift, without the two ends
 */
export function shiftedFlow(
  flow: Flow,
  byMs: number,
  only: { after: number; before: number },
): Flow {
  const shifted = (at: number) => (at > only.after && at < only.before ? at + byMs : at);
  const { failing, refusing, breaker, heldUntil, starts, slots } = flow;
  return {
    ...flow,
    failing: failing && { ...failing, since: shifted(failing.since) },
    refusing: refusing && { ...refusing, since: shifted(refusing.since) },
    breaker: breaker && {
      ...breaker,
      since: shifted(breaker.since),
      nextProbeAt: shifted(breaker.nextProbeAt),
      ...(breaker.probing?.until !== undefined && {
        probing: { ...breaker.probing, until: shifted(breaker.probing.until) },
      }),
    },
    heldUntil: heldUntil === null ? null : shifted(heldUntil),
    starts: starts.map(([first, last, count]) => [shifted(first), shifted(last), count] as const),
    slots: slots.map((lease) => ({ ...lease, until: shifted(lease.until) })),
  };
}
