import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { TransactionalMemory } from './writer.ts';

/** What names a claim: no more of it has to cross threads. */
export type ClaimRef = Pick<ClaimedDelivery, 'id' | 'token'> & {
  destination: Pick<ClaimedDelivery['destination'], 'key'>;
};

interface Claim {
  token: number;
  leaseUntil: number;
}

/**
 * Who works on which delivery. One process holds the data directory, so claims
 * live in its memory: taking one costs no write, and a crash frees them all.
 * Changes made inside a transaction that fails are undone with it: an attempt
 * that could not be recorded must find its claim when it is recorded later.
 */
export class Claims implements TransactionalMemory {
  readonly #live = new Map<string, Claim>();
  /** What undoes the changes of the transaction under way; null outside of one. */
  #undo: (() => void)[] | null = null;
  readonly #perDestination = new Map<number, number>();
  #lastToken = 0;
  readonly #onDropped: (deliveryIds: string[]) => void;
  #dropped: string[] = [];

  /** @param onDropped claims ended that their holder hasn't given back; called after the commit */
  constructor(onDropped: (deliveryIds: string[]) => void = () => {}) {
    this.#onDropped = onDropped;
  }

  take(deliveryId: string, destinationKey: number, leaseUntil: number): number {
    const token = ++this.#lastToken;
    this.#set(deliveryId, destinationKey, { token, leaseUntil });
    return token;
  }

  /** Whether someone's claim keeps this delivery from being claimed at `now`. */
  isHeld(deliveryId: string, now: number): boolean {
    const claim = this.#live.get(deliveryId);
    return claim !== undefined && claim.leaseUntil > now;
  }

  isLive(claim: ClaimRef): boolean {
    return this.#live.get(claim.id)?.token === claim.token;
  }

  renew(claim: ClaimRef, leaseUntil: number): void {
    if (!this.isLive(claim)) return;
    this.#set(claim.id, claim.destination.key, { token: claim.token, leaseUntil });
  }

  release(claim: ClaimRef): void {
    if (this.isLive(claim)) this.#set(claim.id, claim.destination.key, undefined);
  }

  /** Ends whatever claim there is: the delivery was closed by something else. */
  drop(deliveryId: string, destinationKey: number): void {
    if (!this.#live.has(deliveryId)) return;
    this.#set(deliveryId, destinationKey, undefined);
    const before = this.#dropped.push(deliveryId) - 1;
    this.#undo?.push(() => this.#dropped.splice(before));
  }

  mark(): number {
    this.#undo ??= [];
    return this.#undo.length;
  }

  undoTo(mark: number): void {
    const changes = this.#undo?.splice(mark) ?? [];
    if (mark === 0) this.#undo = null;
    for (const undo of changes.reverse()) undo();
  }

  keep(): void {
    this.#undo = null;
    if (this.#dropped.length > 0) this.#onDropped(this.#dropped.splice(0));
  }

  #set(deliveryId: string, destinationKey: number, claim: Claim | undefined): void {
    const before = this.#live.get(deliveryId);
    if (claim) this.#live.set(deliveryId, claim);
    else this.#live.delete(deliveryId);
    this.#count(destinationKey, Number(claim !== undefined) - Number(before !== undefined));
    if (!this.#undo) return;
    this.#undo.push(() => {
      if (before) this.#live.set(deliveryId, before);
      else this.#live.delete(deliveryId);
      this.#count(destinationKey, Number(before !== undefined) - Number(claim !== undefined));
    });
  }

  /** Claims held of a destination: so many rows at the head of its queue may be taken. */
  countOf(destinationKey: number): number {
    return this.#perDestination.get(destinationKey) ?? 0;
  }

  #count(destinationKey: number, change: number): void {
    if (change === 0) return;
    const count = this.countOf(destinationKey) + change;
    if (count > 0) this.#perDestination.set(destinationKey, count);
    else this.#perDestination.delete(destinationKey);
  }
}
