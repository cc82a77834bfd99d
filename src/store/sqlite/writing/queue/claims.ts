import type { ClaimedDelivery } from '../../../contract/claims.ts';
import type { TransactionalMemory } from '../writer.ts';

/** Names a claim. This is all of it that crosses threads. */
export type ClaimRef = Pick<ClaimedDelivery, 'id' | 'token'> & {
  destination: Pick<ClaimedDelivery['destination'], 'key'>;
};

interface Claim {
  token: number;
  leaseUntil: number;
}

/**
 * The owner of all claims: decides which claim is live. One process holds the data
 * directory, so claims live in its memory: taking one costs no write, and a crash
 * frees them all. A failed transaction undoes its changes here: an attempt that
 * could not be recorded must find its claim when it is recorded later.
 */
export class Claims implements TransactionalMemory {
  readonly #live = new Map<string, Claim>();
  /** Undoes the changes of the transaction under way. Null outside of a transaction. */
  #undo: (() => void)[] | null = null;
  readonly #perDestination = new Map<number, number>();
  #lastToken = 0;
  readonly #onDropped: (deliveryIds: string[]) => void;
  #dropped: string[] = [];

  /** @param onDropped called after a commit that ended claims without their holder */
  constructor(onDropped: (deliveryIds: string[]) => void = () => {}) {
    this.#onDropped = onDropped;
  }

  take(deliveryId: string, destinationKey: number, leaseUntil: number): number {
    const token = ++this.#lastToken;
    this.#set(deliveryId, destinationKey, { token, leaseUntil });
    return token;
  }

  /** Whether a claim is live at `now`, so that the delivery can't be claimed. */
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

  /** Ends a claim without its holder: a replay or a removal closed the delivery. */
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

  /** Live claims of a destination. At most so many rows at the head of its queue are taken. */
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
