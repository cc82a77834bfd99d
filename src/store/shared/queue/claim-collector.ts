import { hasManySlots } from '../../../core/flow/slot-class.ts';
import type {
  ClaimedDelivery,
  ClaimedDestination,
  ClaimTerms,
  NewDeliveries,
} from '../../contract/claims.ts';

/**
 * The terms of a bulk replay, which claims nothing. It may create a million deliveries, so the
 * scheduler claims them later.
 */
export const CLAIM_NOTHING: ClaimTerms = { leaseUntil: 0, limit: 0, skip: new Set() };

/** Collects the deliveries that an operation creates. Claims as many of them as its terms allow. */
export class ClaimCollector implements NewDeliveries {
  readonly claimed: ClaimedDelivery[] = [];
  readonly unclaimed = new Set<number>();
  readonly terms: ClaimTerms;
  /** The keys of destinations that have one slot and a claim. */
  readonly #oneSlot = new Set<number>();

  constructor(terms: ClaimTerms) {
    this.terms = terms;
  }

  /** Returns whether the terms allow one more claim of this destination. */
  allows(destination: ClaimedDestination): boolean {
    const { limit, oneSlotLimit, skip } = this.terms;
    if (this.claimed.length >= limit || skip.has(destination.key)) return false;
    if (destination.isControlled) return false;
    if (oneSlotLimit === undefined || hasManySlots(destination.slotClass)) return true;
    return this.#oneSlot.size < oneSlotLimit && !this.#oneSlot.has(destination.key);
  }

  add(claim: ClaimedDelivery): void {
    const { key, slotClass } = claim.destination;
    this.claimed.push(claim);
    if (!hasManySlots(slotClass)) this.#oneSlot.add(key);
  }
}
