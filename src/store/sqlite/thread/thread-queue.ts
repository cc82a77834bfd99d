import type { CapturedRequest } from '../../../core/http/captured-request.ts';

import type { ClaimedDelivery, ClaimTerms, NewDeliveries } from '../../contract/claims.ts';
import type {
  Outgoing,
  OutgoingRequest,
  QueueStore,
  SettledAttempt,
  Settlement,
} from '../../contract/queue.ts';
import { openAnother } from '../files/database.ts';
import type { ClaimRef } from '../writing/claims.ts';
import {
  OutgoingRequests,
  type PrefetchBounds,
  type StoredRequest,
} from '../writing/outgoing-requests.ts';
import {
  type Recordable,
  recordable,
  type SettleResult,
  settledAttempts,
} from '../writing/settle-result.ts';
import { type JoinedBodies, splitBodies } from './joined-bodies.ts';

/** Larger bodies are read in the store's thread and handed over: nobody waits for them here. */
const SMALL_BODY_BYTES = 64 * 1024;
/** Bodies held for deliveries that wait for their turn; those of others are read when it comes. */
const HELD_BYTES = 8 * 1024 * 1024;
/** Page cache of the connection, KiB. */
const CACHE_KIB = 2048;

/** The queue in the store's thread, and those methods of it that have an answer of their own. */
export type RemoteQueue = Omit<QueueStore, 'settle' | 'claimDue' | 'renew' | 'release'> & {
  renew(claims: readonly ClaimRef[], leaseUntil: number): Promise<void>;
  release(claims: readonly ClaimRef[]): Promise<void>;
  record(settlements: readonly Recordable[]): Promise<SettleResult[]>;
  claimWithRequests(
    now: number,
    terms: ClaimTerms & { perDestination: number },
    bounds: PrefetchBounds,
  ): Promise<PackedClaims>;
};

export interface PackedClaims {
  claimed: ClaimedDelivery[];
  /** Of some claims: what to send, with the delivery's id. */
  requests: (Omit<OutgoingRequest, 'body'> & { deliveryId: string })[];
  bodies: JoinedBodies;
}

interface Held {
  token: number;
  endpointKey: number;
  request: OutgoingRequest | null;
}

/**
 * The queue as the scheduler's thread sees it. A slot is empty until `begin` has
 * answered, and in the store's thread it would wait for the commit under way. So
 * small requests are held here from the moment their deliveries are claimed, or
 * read here, by a connection of its own. Destinations are never held: `begin` reads
 * them each time, so that a change counts once it is answered.
 *
 * For that, this end knows which claims are live: those that were handed over
 * and neither given back, settled, nor reported as ended. Such a report arrives
 * before the answer to the operation that ended the claim.
 */
export class ThreadQueue implements QueueStore {
  readonly #remote: RemoteQueue;
  readonly #db: ReturnType<typeof openAnother>;
  readonly #outgoing: OutgoingRequests;
  /** By delivery id. */
  readonly #held = new Map<string, Held>();
  #heldBytes = 0;

  constructor(remote: RemoteQueue, file: string) {
    this.#remote = remote;
    this.#db = openAnother(file, { readonly: true, cacheKib: CACHE_KIB });
    this.#outgoing = new OutgoingRequests(this.#db);
  }

  /** Claims that came with an answer; `captured`, where their requests are at hand. */
  accept<T extends Pick<NewDeliveries, 'claimed'> | null>(
    answer: T,
    captured: readonly CapturedRequest[] = [],
  ): T {
    if (!answer?.claimed.length) return answer;
    const byId = new Map(captured.map((request) => [request.id, request]));
    for (const claim of answer.claimed) {
      const request = byId.get(claim.eventId);
      const isSmall = claim.size <= SMALL_BODY_BYTES;
      const hasRoom = this.#heldBytes + claim.size <= HELD_BYTES;
      this.#hold(claim, request && isSmall && hasRoom ? outgoing(request) : null);
    }
    return answer;
  }

  onDropped(deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) this.#forget(id);
  }

  /** What was held of it is not to be sent any more: the database decides. */
  onEndpointRemoved(endpointKey: number): void {
    for (const held of this.#held.values()) {
      if (held.endpointKey === endpointKey) this.#letGo(held);
    }
  }

  async claimDue(
    now: number,
    terms: ClaimTerms & { perDestination: number },
  ): Promise<ClaimedDelivery[]> {
    const { claimed, requests, bodies } = await this.#remote.claimWithRequests(now, terms, {
      bodyBytes: SMALL_BODY_BYTES,
      bytes: HELD_BYTES - this.#heldBytes,
    });
    const read = new Map(
      splitBodies(bodies).map((body, i) => {
        const { deliveryId, ...head } = requests[i] as PackedClaims['requests'][number];
        return [deliveryId, { ...head, body }];
      }),
    );
    for (const claim of claimed) this.#hold(claim, read.get(claim.id) ?? null);
    return claimed;
  }

  async begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
  ): Promise<(Outgoing | null)[]> {
    const requests = new Map<ClaimedDelivery, StoredRequest | null>();
    const large = claims.filter(({ size }) => size > SMALL_BODY_BYTES);
    if (large.length > 0) {
      const begun = await this.#remote.begin(large, leaseUntil);
      for (const [i, claim] of large.entries()) requests.set(claim, begun[i]?.request ?? null);
    }
    const live = claims.filter((claim) => claim.size <= SMALL_BODY_BYTES && this.#isHeld(claim));
    const unread: ClaimedDelivery[] = [];
    for (const claim of live) {
      const held = this.#held.get(claim.id) as Held;
      if (held.request) requests.set(claim, held.request);
      else unread.push(claim);
      this.#letGo(held);
    }
    const read = unread.length > 0 ? this.#outgoing.read(unread) : [];
    for (const [i, claim] of unread.entries()) requests.set(claim, read[i] ?? null);
    const begun = live.filter((claim) => requests.get(claim));
    const gone = claims.filter((claim) => !requests.get(claim) && this.#isHeld(claim));
    // Not waited for. Should they fail, so has the thread: that is told elsewhere.
    if (begun.length > 0) this.renew(begun, leaseUntil).catch(() => undefined);
    if (gone.length > 0) this.release(gone).catch(() => undefined);
    return this.#outgoing.addressed(claims, requests);
  }

  nextDueAt(now: number, skip: ReadonlySet<number>): Promise<number | null> {
    return this.#remote.nextDueAt(now, skip);
  }

  renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void> {
    return this.#remote.renew(claims.map(refOf), leaseUntil);
  }

  shiftDue(byMs: number, only?: { after: number; before: number }): Promise<void> {
    return this.#remote.shiftDue(byMs, only);
  }

  release(claims: readonly ClaimedDelivery[]): Promise<void> {
    this.#forgetAll(claims);
    return this.#remote.release(claims.map(refOf));
  }

  async settle(settlements: readonly Settlement[]): Promise<(SettledAttempt | null)[]> {
    const results = await this.#remote.record(settlements.map(recordable));
    this.#forgetAll(settlements.map(({ claim }) => claim));
    return settledAttempts(settlements, results);
  }

  close(): void {
    this.#db.close();
  }

  #hold({ id, token, endpointKey }: ClaimedDelivery, request: OutgoingRequest | null): void {
    this.#forget(id);
    this.#held.set(id, { token, endpointKey, request });
    this.#heldBytes += request?.body.length ?? 0;
  }

  #isHeld({ id, token }: ClaimedDelivery): boolean {
    return this.#held.get(id)?.token === token;
  }

  #letGo(held: Held): void {
    this.#heldBytes -= held.request?.body.length ?? 0;
    held.request = null;
  }

  #forgetAll(claims: readonly ClaimedDelivery[]): void {
    for (const claim of claims) if (this.#isHeld(claim)) this.#forget(claim.id);
  }

  #forget(deliveryId: string): void {
    const held = this.#held.get(deliveryId);
    if (!held) return;
    this.#letGo(held);
    this.#held.delete(deliveryId);
  }
}

function outgoing({ query, rawHeaders, method, path, body }: CapturedRequest): OutgoingRequest {
  return { query, rawHeaders, method, path, body: body.copy() };
}

function refOf({ id, token, destination }: ClaimedDelivery): ClaimRef {
  return { id, token, destination: { key: destination.key } };
}
