import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { OutgoingRequest } from '../../contract/queue.ts';

interface Held {
  token: number;
  endpointKey: number;
  leaseUntil: number;
  request: OutgoingRequest | null;
}

type ClaimId = Pick<ClaimedDelivery, 'id' | 'token'>;

/**
 * The claims of this process's scheduler, and the requests of some of them.
 *
 * This class is the main thread's copy of `Claims`, which decides in the store's thread whether a
 * claim is live. The copy learns of a dropped claim before the operation that dropped it is
 * answered.
 */
export class HeldClaims {
  readonly #byDelivery = new Map<string, Held>();
  #requestBytes = 0;

  /** The size of the held bodies, bytes. */
  get requestBytes(): number {
    return this.#requestBytes;
  }

  hold(
    { id, token, endpointKey }: ClaimedDelivery,
    leaseUntil: number,
    request: OutgoingRequest | null,
  ): void {
    this.forget(id);
    this.#byDelivery.set(id, { token, endpointKey, leaseUntil, request });
    this.#requestBytes += request?.body.length ?? 0;
  }

  isHeld({ id, token }: ClaimId): boolean {
    return this.#byDelivery.get(id)?.token === token;
  }

  /** Whether the claim is held and its lease, as it was taken, lasts until that time. */
  isLeased({ id, token }: ClaimId, until: number): boolean {
    const held = this.#byDelivery.get(id);
    return held?.token === token && held.leaseUntil >= until;
  }

  /**
   * Removes and returns the request of a held claim. Returns null if no request is held. The caller
   * must then read it from the database.
   */
  takeRequest({ id }: ClaimId): OutgoingRequest | null {
    const held = this.#byDelivery.get(id);
    const request = held?.request ?? null;
    if (held) this.#dropRequest(held);
    return request;
  }

  /** Drops the requests of an endpoint, so that `begin` checks whether their events still exist. */
  dropRequestsOf(endpointKey: number): void {
    for (const held of this.#byDelivery.values()) {
      if (held.endpointKey === endpointKey) this.#dropRequest(held);
    }
  }

  /** Call it when these claims have ended. */
  end(claims: readonly ClaimId[]): void {
    for (const claim of claims) if (this.isHeld(claim)) this.forget(claim.id);
  }

  /** Call it when a claim of this delivery has ended, if its token is unknown. */
  forget(deliveryId: string): void {
    const held = this.#byDelivery.get(deliveryId);
    if (!held) return;
    this.#dropRequest(held);
    this.#byDelivery.delete(deliveryId);
  }

  #dropRequest(held: Held): void {
    this.#requestBytes -= held.request?.body.length ?? 0;
    held.request = null;
  }
}
