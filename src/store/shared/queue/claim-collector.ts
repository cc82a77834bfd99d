import { hasManySlots } from '../../../core/flow/slot-class.ts';
import type {
  ClaimedDelivery,
  ClaimedDestination,
  ClaimTerms,
  NewDeliveries,
} from '../../contract/claims.ts';

/** Terms of a bulk replay. It may make a million deliveries, so the scheduler claims them later. */
export const CLAIM_NOTHING: ClaimTerms = { leaseUntil: 0, limit: 0, skip: new Set() };

/** Collects the deliveries that an operation creates. Claims as many as its terms allow. */
export class ClaimCollector implements NewDeliveries {
  readonly claimed: ClaimedDelivery[] = [];
  readonly unclaimed = new Set<number>();
  readonly terms: ClaimTerms;
  /** Keys of destinations with one slot that have a claim. */
  readonly #oneSlot = new Set<number>();

  constructor(terms: ClaimTerms) {
    this.terms = terms;
  }

  /** Whether the terms allow one more claim of this destination. */
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
