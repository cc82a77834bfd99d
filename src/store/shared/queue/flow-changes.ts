import { type AttemptSign, afterAttempt } from '../../../core/flow/after-attempt.ts';
import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import { type Flow, storedFlow } from '../../../core/flow/flow.ts';
import { type HealthState, healthState } from '../../../core/flow/health.ts';
import { rampTo } from '../../../core/flow/permits.ts';
import type { Attempt } from '../../../core/model.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { Settlement } from '../../contract/queue.ts';
import type { Control } from '../destinations/claimed-destination.ts';

/** The part of a settlement that changes its destination's flow. */
type SignedSettlement = Pick<Settlement, 'reach' | 'holdMs'> & {
  next: Pick<Settlement['next'], 'state'>;
  claim: Pick<ClaimedDelivery, 'id' | 'eventSeq' | 'round' | 'probe'>;
  attempt: Pick<Attempt, 'attemptedAt' | 'durationMs'>;
};

export function signOf(
  { claim, attempt, reach, holdMs, next }: SignedSettlement,
  isEdited: boolean,
): AttemptSign {
  return {
    reach,
    succeeded: next.state === 'succeeded',
    isEdited,
    holdMs,
    deliveryId: claim.id,
    eventSeq: claim.eventSeq,
    round: claim.round,
    probe: claim.probe,
    startedAt: attempt.attemptedAt,
    endedAt: attempt.attemptedAt + attempt.durationMs,
  };
}

interface Change {
  control: Control;
  before: string | null;
  flow: Flow;
}

/** A destination's control. `stored` is its flow as stored, if `flow` differs from that. */
interface StoredControl extends Control {
  stored?: string | null;
}

/** Computes how the attempts of one commit change their destinations' flows. */
export class FlowChanges {
  readonly #controlOf: (destinationKey: number) => StoredControl | null;
  readonly #terms: BreakerTerms;
  readonly #changes = new Map<number, Change | null>();

  /** @param controlOf reads a destination, once each; null if it was deleted */
  constructor(controlOf: (destinationKey: number) => StoredControl | null, terms: BreakerTerms) {
    this.#controlOf = controlOf;
    this.#terms = terms;
  }

  /**
   * Adds the next attempt. Call it in the order in which attempts are recorded. Returns the
   * destination's new health if this attempt changes the health, otherwise null.
   */
  add(destinationKey: number, sign: AttemptSign): HealthState | null {
    const change = this.#change(destinationKey);
    if (!change) return null;
    const { settings } = change.control;
    const terms = settings.breaker === 'on' ? this.#terms : null;
    const before = healthState(change.flow);
    change.flow = afterAttempt(change.flow, sign, terms, rampTo(settings));
    const after = healthState(change.flow);
    return after === before ? null : after;
  }

  /** Returns the flows that changed, in the stored form. */
  changed(): [destinationKey: number, flow: string | null][] {
    return [...this.#changes].flatMap(([key, change]) => {
      const after = change && storedFlow(change.flow);
      return change && after !== change.before ? [[key, after] as [number, string | null]] : [];
    });
  }

  #change(destinationKey: number): Change | null {
    let change = this.#changes.get(destinationKey);
    if (change === undefined) {
      const control = this.#controlOf(destinationKey);
      change = control && {
        control,
        before: control.stored ?? storedFlow(control.flow),
        flow: control.flow,
      };
      this.#changes.set(destinationKey, change);
    }
    return change;
  }
}
