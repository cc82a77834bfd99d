import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import { NOT_CHECKED } from '../../../core/proof/verification.ts';
import type { ClaimedDelivery, DueTerms, NewDeliveries } from '../../contract/claims.ts';
import type {
  Outgoing,
  OutgoingRequest,
  QueueStore,
  SettledAttempt,
  Settlement,
} from '../../contract/queue.ts';
import { openAnother } from '../files/database.ts';
import type { ClaimRef } from '../queue/claims.ts';
import { OutgoingRequests, type StoredOutgoingRequest } from '../queue/outgoing-requests.ts';
import { recordable, settledAttempts } from '../queue/settle-result.ts';
import { splitBodies } from '../threads/joined-bodies.ts';
import { HeldClaims } from './held-claims.ts';
import type { PackedClaims, StoreFunctions } from './store-functions.ts';

/** The store's thread reads larger bodies, so that this thread doesn't wait for the disk. */
const SMALL_BODY_BYTES = 64 * 1024;
/** The largest total size of held bodies, bytes. Other bodies are read when an attempt begins. */
const HELD_BYTES = 8 * 1024 * 1024;
/**
 * A lease that ends this much too early isn't renewed when its attempt begins, because the scheduler
 * renews all leases more often. It saves a message to the store's thread.
 */
const LEASE_SLACK_MS = 30_000;
/** Page cache of the connection, KiB. */
const CACHE_KIB = 2048;

/**
 * The queue in the scheduler's thread. Waiting for the store's thread would idle delivery slots
 * during commits. So this thread keeps small requests from the claim on, or reads them on its own
 * connection.
 *
 * It never caches destinations. `begin` reads them, so a change takes effect at once.
 */
export class ThreadQueue implements QueueStore {
  readonly #remote: StoreFunctions['claims'];
  readonly #packed: StoreFunctions['packed'];
  readonly #db: ReturnType<typeof openAnother>;
  readonly #outgoing: OutgoingRequests;
  readonly #held = new HeldClaims();

  constructor({ claims, packed }: Pick<StoreFunctions, 'claims' | 'packed'>, file: string) {
    this.#remote = claims;
    this.#packed = packed;
    this.#db = openAnother(file, { readonly: true, cacheKib: CACHE_KIB });
    this.#outgoing = new OutgoingRequests(this.#db);
  }

  /** Keeps the claims of an answer, and their requests if `captured` has them. */
  accept<T extends Pick<NewDeliveries, 'claimed'> | null>(
    answer: T,
    leaseUntil: number,
    captured: readonly CapturedRequest[] = [],
  ): T {
    if (!answer?.claimed.length) return answer;
    const byId = new Map(captured.map((request) => [request.id, request]));
    for (const claim of answer.claimed) {
      const request = byId.get(claim.eventId);
      const isSmall = claim.size <= SMALL_BODY_BYTES;
      const hasRoom = this.#held.requestBytes + claim.size <= HELD_BYTES;
      this.#held.hold(claim, leaseUntil, request && isSmall && hasRoom ? outgoing(request) : null);
    }
    return answer;
  }

  onDropped(deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) this.#held.forget(id);
  }

  /** Drops the requests of a removed endpoint. `begin` then asks the database for them. */
  onEndpointRemoved(endpointKey: number): void {
    this.#held.dropRequestsOf(endpointKey);
  }

  async claimDue(now: number, terms: DueTerms): Promise<ClaimedDelivery[]> {
    const { claimed, requests, bodies } = await this.#packed.claimWithRequests(now, terms, {
      bodyBytes: SMALL_BODY_BYTES,
      bytes: HELD_BYTES - this.#held.requestBytes,
    });
    const read = new Map(
      splitBodies(bodies).map((body, i) => {
        const { deliveryId, ...head } = requests[i] as PackedClaims['requests'][number];
        return [deliveryId, { ...head, body }];
      }),
    );
    for (const claim of claimed) {
      this.#held.hold(claim, terms.leaseUntil, read.get(claim.id) ?? null);
    }
    return claimed;
  }

  async begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
    now: number,
  ): Promise<(Outgoing | null)[]> {
    const requests = new Map<ClaimedDelivery, StoredOutgoingRequest | null>();
    const large = claims.filter(({ size }) => size > SMALL_BODY_BYTES);
    if (large.length > 0) {
      const begun = await this.#remote.begin(large, leaseUntil, now);
      for (const [i, claim] of large.entries()) requests.set(claim, begun[i]?.request ?? null);
    }
    const live = claims.filter(
      (claim) => claim.size <= SMALL_BODY_BYTES && this.#held.isHeld(claim),
    );
    for (const claim of live) requests.set(claim, this.#held.takeRequest(claim));
    const unread = live.filter((claim) => !requests.get(claim));
    const read = unread.length > 0 ? this.#outgoing.read(unread) : [];
    for (const [i, claim] of unread.entries()) requests.set(claim, read[i] ?? null);
    const addressed = this.#outgoing.addressed(claims, requests, now);
    const begun = claims.filter((_, i) => addressed[i]);
    // A dropped claim still blocks its order key, so it must be released.
    const ended = claims.filter(
      (claim, i) => !addressed[i] && (this.#held.isHeld(claim) || claim.orderKey !== null),
    );
    // Nobody awaits these calls. They fail only if the thread fails, and that ends the process.
    const short = begun.filter((claim) => !this.#held.isLeased(claim, leaseUntil - LEASE_SLACK_MS));
    if (short.length > 0) this.renew(short, leaseUntil).catch(() => undefined);
    if (ended.length > 0) this.release(ended).catch(() => undefined);
    return addressed;
  }

  nextDueAt(
    now: number,
    skip: ReadonlySet<number>,
    only?: ReadonlySet<number>,
  ): Promise<number | null> {
    return this.#remote.nextDueAt(now, skip, only);
  }

  renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void> {
    return this.#remote.renew(claims.map(refOf), leaseUntil);
  }

  shiftDue(byMs: number, only?: { after: number; before: number }): Promise<void> {
    return this.#remote.shiftDue(byMs, only);
  }

  release(claims: readonly ClaimedDelivery[]): Promise<void> {
    this.#held.end(claims);
    return this.#remote.release(claims.map(refOf));
  }

  async settle(
    settlements: readonly Settlement[],
    breaker: BreakerTerms,
  ): Promise<(SettledAttempt | null)[]> {
    const results = await this.#remote.record(settlements.map(recordable), breaker);
    this.#held.end(settlements.map(({ claim }) => claim));
    return settledAttempts(settlements, results);
  }

  close(): void {
    this.#db.close();
  }
}

function outgoing(request: CapturedRequest): OutgoingRequest {
  const { query, rawHeaders, method, path, body, verdict } = request;
  const verification = verdict?.verification ?? NOT_CHECKED;
  return { query, rawHeaders, method, path, verification, body: body.copy() };
}

function refOf({ id, token, destination }: ClaimedDelivery): ClaimRef {
  return { id, token, destination: { key: destination.key } };
}
