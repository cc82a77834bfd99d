import { isProven } from '../../core/proven.ts';
import type {
  ClaimedDelivery,
  ClaimedDestination,
  ClaimTerms,
  NewDeliveries,
} from '../contract/claims.ts';

/** For deliveries of a replay job, found by their due time: there may be a million. */
export const CLAIM_NOTHING: ClaimTerms = { leaseUntil: 0, limit: 0, skip: new Set() };

/** Collects the deliveries that an operation makes, claiming as far as its terms allow. */
export class Handover implements NewDeliveries {
  readonly claimed: ClaimedDelivery[] = [];
  readonly unclaimed = new Set<number>();
  readonly terms: ClaimTerms;
  readonly #suspects = new Set<number>();

  constructor(terms: ClaimTerms) {
    this.terms = terms;
  }

  /** Whether one more of this destination is claimed. */
  wants(destination: ClaimedDestination): boolean {
    const { limit, suspectLimit, skip } = this.terms;
    if (this.claimed.length >= limit || skip.has(destination.key)) return false;
    if (suspectLimit === undefined || isProven(destination)) return true;
    return this.#suspects.size < suspectLimit && !this.#suspects.has(destination.key);
  }

  take(claim: ClaimedDelivery): void {
    this.claimed.push(claim);
    if (!isProven(claim.destination)) this.#suspects.add(claim.destination.key);
  }
}
