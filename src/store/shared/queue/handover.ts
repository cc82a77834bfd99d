import { isHealthy } from '../../../core/flow/slot-class.ts';
import type {
  ClaimedDelivery,
  ClaimedDestination,
  ClaimTerms,
  NewDeliveries,
} from '../../contract/claims.ts';

/** Terms of a bulk replay: the scheduler claims its deliveries later, as there may be a million. */
export const CLAIM_NOTHING: ClaimTerms = { leaseUntil: 0, limit: 0, skip: new Set() };

/** Collects the deliveries that an operation creates, and claims them as far as its terms allow. */
export class Handover implements NewDeliveries {
  readonly claimed: ClaimedDelivery[] = [];
  readonly unclaimed = new Set<number>();
  readonly terms: ClaimTerms;
  /** Keys of unhealthy destinations that have a claim. */
  readonly #unhealthy = new Set<number>();

  constructor(terms: ClaimTerms) {
    this.terms = terms;
  }

  /** Whether the terms allow one more claim of this destination. */
  wants(destination: ClaimedDestination): boolean {
    const { limit, unhealthyLimit, skip } = this.terms;
    if (this.claimed.length >= limit || skip.has(destination.key)) return false;
    if (destination.isControlled) return false;
    if (unhealthyLimit === undefined || isHealthy(destination.health)) return true;
    return this.#unhealthy.size < unhealthyLimit && !this.#unhealthy.has(destination.key);
  }

  take(claim: ClaimedDelivery): void {
    const { key, health } = claim.destination;
    this.claimed.push(claim);
    if (!isHealthy(health)) this.#unhealthy.add(key);
  }
}
