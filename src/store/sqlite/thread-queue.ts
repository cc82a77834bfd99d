import type {
  ClaimedDelivery,
  ClaimTerms,
  NewDeliveries,
  OutgoingRequest,
  QueueStore,
  SettledAttempt,
  Settlement,
} from '../store.ts';
import { openAnother } from './database.ts';
import { Outgoing } from './outgoing.ts';
import { type SettleResult, settledAttempts } from './settle-result.ts';

/** Larger bodies are read in the store's thread and handed over: nobody waits for them here. */
const READ_HERE_MAX_BYTES = 64 * 1024;
/** Page cache of the connection, KiB. */
const CACHE_KIB = 2048;

/** The queue in the store's thread, and the one method of it that has an answer of its own. */
export type RemoteQueue = Omit<QueueStore, 'settle'> & {
  record(settlements: readonly Settlement[]): Promise<SettleResult[]>;
};

/**
 * The queue as the scheduler's thread sees it. A slot is empty until `begin` has
 * answered, and in the store's thread it would wait for the commit under way: so
 * what is to be sent is read here, by a connection of its own.
 *
 * For that, this end knows which claims are live: those that were handed over
 * and neither given back, settled, nor reported as ended. Such a report arrives
 * before the answer to the operation that ended the claim.
 */
export class ThreadQueue implements QueueStore {
  readonly #remote: RemoteQueue;
  readonly #db: ReturnType<typeof openAnother>;
  readonly #outgoing: Outgoing;
  readonly #live = new Map<string, number>();

  constructor(remote: RemoteQueue, file: string) {
    this.#remote = remote;
    this.#db = openAnother(file, { readonly: true, cacheKib: CACHE_KIB });
    this.#outgoing = new Outgoing(this.#db);
  }

  /** Claims that came with an answer. */
  accept<T extends Pick<NewDeliveries, 'claimed'> | null>(answer: T): T {
    for (const { id, token } of answer?.claimed ?? []) this.#live.set(id, token);
    return answer;
  }

  onDropped(deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) this.#live.delete(id);
  }

  async claimDue(
    now: number,
    terms: ClaimTerms & { perDestination: number },
  ): Promise<ClaimedDelivery[]> {
    const claimed = await this.#remote.claimDue(now, terms);
    this.accept({ claimed });
    return claimed;
  }

  async begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
  ): Promise<(OutgoingRequest | null)[]> {
    const here = claims.filter((claim) => claim.size <= READ_HERE_MAX_BYTES);
    const there = claims.filter((claim) => claim.size > READ_HERE_MAX_BYTES);
    const requests = new Map<ClaimedDelivery, OutgoingRequest | null>();
    if (there.length > 0) {
      const begun = await this.#remote.begin(there, leaseUntil);
      for (const [i, claim] of there.entries()) requests.set(claim, begun[i] ?? null);
    }
    const live = here.filter(({ id, token }) => this.#live.get(id) === token);
    const read = this.#outgoing.read(live);
    for (const [i, claim] of live.entries()) requests.set(claim, read[i] ?? null);
    const begun = live.filter((claim) => requests.get(claim));
    // Not waited for. Should it fail, so has the thread: that is told elsewhere.
    if (begun.length > 0) this.#remote.renew(begun, leaseUntil).catch(() => undefined);
    return claims.map((claim) => requests.get(claim) ?? null);
  }

  nextDueAt(now: number, skip: ReadonlySet<number>): Promise<number | null> {
    return this.#remote.nextDueAt(now, skip);
  }

  renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void> {
    return this.#remote.renew(claims, leaseUntil);
  }

  shiftDue(byMs: number): Promise<void> {
    return this.#remote.shiftDue(byMs);
  }

  release(claims: readonly ClaimedDelivery[]): Promise<void> {
    for (const claim of claims) this.#forget(claim);
    return this.#remote.release(claims);
  }

  async settle(settlements: readonly Settlement[]): Promise<(SettledAttempt | null)[]> {
    const results = await this.#remote.record(settlements);
    for (const { claim } of settlements) this.#forget(claim);
    return settledAttempts(settlements, results);
  }

  close(): void {
    this.#db.close();
  }

  #forget({ id, token }: ClaimedDelivery): void {
    if (this.#live.get(id) === token) this.#live.delete(id);
  }
}
