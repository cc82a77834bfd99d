import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { OutgoingRequest } from '../../contract/queue.ts';

interface Held {
  token: number;
  endpointKey: number;
  request: OutgoingRequest | null;
}

type ClaimId = Pick<ClaimedDelivery, 'id' | 'token'>;

/**
 * The claims that this process's scheduler holds, and the requests of some of them.
 *
 * `Claims` in the store's thread decides which claims are live; this is the main thread's
 * copy. It may end a claim later than `Claims`, but before the operation that dropped the
 * claim is answered.
 */
export class HeldClaims {
  readonly #byDelivery = new Map<string, Held>();
  #requestBytes = 0;

  /** Size of the held bodies, in bytes. */
  get requestBytes(): number {
    return this.#requestBytes;
  }

  hold({ id, token, endpointKey }: ClaimedDelivery, request: OutgoingRequest | null): void {
    this.forget(id);
    this.#byDelivery.set(id, { token, endpointKey, request });
    this.#requestBytes += request?.body.length ?? 0;
  }

  isHeld({ id, token }: ClaimId): boolean {
    return this.#byDelivery.get(id)?.token === token;
  }

  /** Takes a held claim's request out; null if it must be read. */
  takeRequest({ id }: ClaimId): OutgoingRequest | null {
    const held = this.#byDelivery.get(id);
    const request = held?.request ?? null;
    if (held) this.#dropRequest(held);
    return request;
  }

  /** Drops the endpoint's requests, so `begin` checks whether their events exist. */
  dropRequestsOf(endpointKey: number): void {
    for (const held of this.#byDelivery.values()) {
      if (held.endpointKey === endpointKey) this.#dropRequest(held);
    }
  }

  /** The claims have ended. */
  end(claims: readonly ClaimId[]): void {
    for (const claim of claims) if (this.isHeld(claim)) this.forget(claim.id);
  }

  /** Any claim of the delivery has ended. */
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
