import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { TransactionalMemory } from '../files/writer.ts';
import type { OpenRow } from './open-deliveries.ts';

/** Identifies a claim. Only this part of a claim crosses threads. */
export type ClaimRef = Pick<ClaimedDelivery, 'id' | 'token'> & {
  destination: Pick<ClaimedDelivery['destination'], 'key'>;
};

interface Claim {
  token: number;
  leaseUntil: number;
}

/** A claim that has ended while its attempt may still be running. It blocks its order key. */
interface Lingering extends Claim {
  destinationKey: number;
  orderKey: string;
}

/** A delivery that somebody ended without holding its claim. */
type EndedDelivery = Pick<OpenRow, 'id' | 'destinationKey' | 'orderKey'>;

/**
 * Stores all claims in memory, because only one process uses the data directory. So a claim needs
 * no write, and a crash frees all claims.
 *
 * A failed transaction undoes its changes here. Otherwise a claim would be gone when its attempt is
 * recorded again.
 */
export class Claims implements TransactionalMemory {
  readonly #live = new Map<string, Claim>();
  /** The lingering claims, by the ids of their deliveries. */
  readonly #lingering = new Map<string, Lingering>();
  /** Functions that undo the current transaction's changes; null outside of a transaction. */
  #undo: (() => void)[] | null = null;
  readonly #perDestination = new Map<number, number>();
  #lastToken = 0;
  readonly #onDropped: (deliveryIds: string[]) => void;
  #dropped: string[] = [];

  /** @param onDropped called after a commit that ended claims of other holders */
  constructor(onDropped: (deliveryIds: string[]) => void = () => {}) {
    this.#onDropped = onDropped;
  }

  take(deliveryId: string, destinationKey: number, leaseUntil: number): number {
    const token = ++this.#lastToken;
    this.#set(deliveryId, destinationKey, { token, leaseUntil });
    return token;
  }

  /** Whether a claim prevents others from claiming the delivery. */
  isHeld(deliveryId: string, now: number): boolean {
    const claim = this.#live.get(deliveryId);
    return claim !== undefined && claim.leaseUntil > now;
  }

  isLive(claim: ClaimRef): boolean {
    return this.#live.get(claim.id)?.token === claim.token;
  }

  renew(claim: ClaimRef, leaseUntil: number): void {
    const lingering = this.#lingering.get(claim.id);
    if (lingering?.token === claim.token) this.#linger(claim.id, { ...lingering, leaseUntil });
    if (!this.isLive(claim)) return;
    this.#set(claim.id, claim.destination.key, { token: claim.token, leaseUntil });
  }

  /** Releases a claim whose holder has finished. The claim may already have been dropped. */
  release(claim: ClaimRef): void {
    if (this.isLive(claim)) this.#set(claim.id, claim.destination.key, undefined);
    if (this.#lingering.get(claim.id)?.token === claim.token) this.#linger(claim.id, undefined);
  }

  /** Ends another holder's claim, because a person, a replay or a removal ended the delivery. */
  drop({ id, destinationKey, orderKey }: EndedDelivery): void {
    const claim = this.#live.get(id);
    if (!claim) return;
    this.#set(id, destinationKey, undefined);
    if (orderKey !== null) this.#linger(id, { ...claim, destinationKey, orderKey });
    const before = this.#dropped.push(id) - 1;
    this.#undo?.push(() => this.#dropped.splice(before));
  }

  /** Whether an ended delivery of this order key may still have a running attempt. */
  isKeyHeld(destinationKey: number, orderKey: string | null, now: number): boolean {
    if (orderKey === null) return false;
    // This loop is cheap, because few deliveries are ended during an attempt.
    for (const [id, one] of this.#lingering) {
      if (one.leaseUntil <= now) this.#linger(id, undefined);
      else if (one.destinationKey === destinationKey && one.orderKey === orderKey) return true;
    }
    return false;
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

  #linger(deliveryId: string, claim: Lingering | undefined): void {
    const before = this.#lingering.get(deliveryId);
    const put = (one: Lingering | undefined, other: Lingering | undefined) => {
      if (one) this.#lingering.set(deliveryId, one);
      else this.#lingering.delete(deliveryId);
      const { destinationKey } = (one ?? other) as Lingering;
      this.#count(destinationKey, Number(one !== undefined) - Number(other !== undefined));
    };
    put(claim, before);
    this.#undo?.push(() => put(before, claim));
  }

  /**
   * Returns how many claims a destination has, including lingering ones. At most that many rows at
   * the head of its queue can't be claimed.
   */
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
