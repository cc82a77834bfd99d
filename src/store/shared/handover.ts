import { isHealthy } from '../../core/destination-health.ts';
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
  /** Keys of unhealthy destinations that have a claim. */
  readonly #unhealthy = new Set<number>();

  constructor(terms: ClaimTerms) {
    this.terms = terms;
  }

  /** Whether one more of this destination is claimed. */
  wants(destination: ClaimedDestination): boolean {
    const { limit, unhealthyLimit, skip } = this.terms;
    if (this.claimed.length >= limit || skip.has(destination.key)) return false;
    if (unhealthyLimit === undefined || isHealthy(destination.health)) return true;
    return this.#unhealthy.size < unhealthyLimit && !this.#unhealthy.has(destination.key);
  }

  take(claim: ClaimedDelivery): void {
    const { key, health } = claim.destination;
    this.claimed.push(claim);
    if (!isHealthy(health)) this.#unhealthy.add(key);
  }
}
