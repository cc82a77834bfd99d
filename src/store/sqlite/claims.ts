import type { ClaimedDelivery } from '../store.ts';

/**
 * Who works on which delivery. One process holds the data directory, so claims
 * live in its memory: taking one costs no write, and a crash frees them all.
 */
export class Claims {
  readonly #live = new Map<string, { token: number; leaseUntil: number }>();
  readonly #perDestination = new Map<number, number>();
  #lastToken = 0;

  take(deliveryId: string, destinationKey: number, leaseUntil: number): number {
    if (!this.#live.has(deliveryId)) this.#count(destinationKey, 1);
    const token = ++this.#lastToken;
    this.#live.set(deliveryId, { token, leaseUntil });
    return token;
  }

  /** Whether someone's claim keeps this delivery from being claimed at `now`. */
  isHeld(deliveryId: string, now: number): boolean {
    const claim = this.#live.get(deliveryId);
    return claim !== undefined && claim.leaseUntil > now;
  }

  isLive(claim: ClaimedDelivery): boolean {
    return this.#live.get(claim.id)?.token === claim.token;
  }

  renew(claim: ClaimedDelivery, leaseUntil: number): void {
    if (this.isLive(claim)) this.#live.set(claim.id, { token: claim.token, leaseUntil });
  }

  release(claim: ClaimedDelivery): void {
    if (this.isLive(claim)) this.drop(claim.id, claim.destination.key);
  }

  /** Ends whatever claim there is: the delivery was closed by something else. */
  drop(deliveryId: string, destinationKey: number): void {
    if (this.#live.delete(deliveryId)) this.#count(destinationKey, -1);
  }

  /** Claims held of a destination: so many rows at the head of its queue may be taken. */
  countOf(destinationKey: number): number {
    return this.#perDestination.get(destinationKey) ?? 0;
  }

  #count(destinationKey: number, change: number): void {
    const count = this.countOf(destinationKey) + change;
    if (count > 0) this.#perDestination.set(destinationKey, count);
    else this.#perDestination.delete(destinationKey);
  }
}
