import type { Database, Statement } from 'better-sqlite3';
import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import { readFlow, storedFlow } from '../../../core/flow/flow.ts';
import { ALWAYS, shiftedFlow } from '../../../core/flow/shifted-flow.ts';
import type { ClaimedDelivery, DueTerms } from '../../contract/claims.ts';
import type { Outgoing, QueueStore, SettledAttempt, Settlement } from '../../contract/queue.ts';
import type { Writer } from '../files/writer.ts';
import type { AttemptNumbers } from './attempt-numbers.ts';
import type { ClaimRef, Claims } from './claims.ts';
import { DueDeliveries } from './due-deliveries.ts';
import {
  OutgoingRequests,
  type PrefetchBounds,
  type PrefetchedRequest,
} from './outgoing-requests.ts';
import type { Rounds } from './rounds.ts';
import {
  type Recordable,
  recordable,
  type SettleResult,
  settledAttempts,
} from './settle-result.ts';
import { Settling } from './settling.ts';
import type { StoppedJobs } from './stopped-jobs.ts';

/** What the queue knows in memory. */
interface QueueMemory {
  claims: Claims;
  stopped: StoppedJobs;
  attempts: AttemptNumbers;
}

export class SqliteQueue implements QueueStore {
  readonly #writer: Writer;
  readonly #claims: Claims;
  readonly #due: DueDeliveries;
  readonly #outgoing: OutgoingRequests;
  readonly #settling: Settling;
  readonly #shift: Statement<[number, number, number]>;
  readonly #flows: Statement<[], { key: number; flow: string }>;
  readonly #saveFlow: Statement<[string | null, number]>;

  constructor(
    db: Database,
    writer: Writer,
    rounds: Rounds,
    { claims, stopped, attempts }: QueueMemory,
  ) {
    this.#writer = writer;
    this.#claims = claims;
    this.#due = new DueDeliveries(db, claims, stopped);
    this.#outgoing = new OutgoingRequests(db);
    this.#settling = new Settling(db, rounds, claims, attempts);
    this.#flows = db.prepare('SELECT key, flow FROM destinations WHERE flow IS NOT NULL');
    this.#saveFlow = db.prepare('UPDATE destinations SET flow = ? WHERE key = ?');
    this.#shift = db.prepare(
      `UPDATE open_deliveries SET next_attempt_at = next_attempt_at + ?
       WHERE next_attempt_at > ? AND next_attempt_at < ?`,
    );
  }

  async claimDue(now: number, terms: DueTerms): Promise<ClaimedDelivery[]> {
    const { claimed, rated } = this.#due.claim(now, terms);
    const limit = terms.limit - claimed.length;
    if (rated.length === 0 || limit <= 0) return claimed;
    try {
      const granted = () => this.#due.claimRated(rated, now, { ...terms, limit });
      return [...claimed, ...(await this.#writer.write(granted))];
    } catch (error) {
      if (claimed.length === 0) throw error;
      // The first claims are taken, so they must be returned. The next poll asks for starts again.
      return claimed;
    }
  }

  /** See `OutgoingRequests.prefetch`. */
  requestsOf(claims: readonly ClaimedDelivery[], bounds: PrefetchBounds): PrefetchedRequest[] {
    return this.#outgoing.prefetch(claims, bounds);
  }

  async nextDueAt(
    now: number,
    skip: ReadonlySet<number>,
    only?: ReadonlySet<number>,
  ): Promise<number | null> {
    return this.#due.nextAt(now, skip, only);
  }

  async begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
    now: number,
  ): Promise<(Outgoing | null)[]> {
    const live = claims.filter((claim) => this.#claims.isLive(claim));
    const read = this.#outgoing.read(live);
    const requests = new Map(live.map((claim, i) => [claim, read[i] ?? null]));
    const begun = this.#outgoing.addressed(claims, requests, now);
    for (const [i, claim] of claims.entries()) {
      if (begun[i]) this.#claims.renew(claim, leaseUntil);
      else this.#claims.release(claim);
    }
    return begun;
  }

  async renew(claims: readonly ClaimRef[], leaseUntil: number): Promise<void> {
    for (const claim of claims) this.#claims.renew(claim, leaseUntil);
  }

  async shiftDue(byMs: number, only = ALWAYS): Promise<void> {
    await this.#writer.write(() => {
      this.#shift.run(byMs, only.after, only.before);
      for (const { key, flow } of this.#flows.all()) {
        this.#saveFlow.run(storedFlow(shiftedFlow(readFlow(flow), byMs, only)), key);
      }
    });
  }

  async release(claims: readonly ClaimRef[]): Promise<void> {
    for (const claim of claims) this.#claims.release(claim);
  }

  async settle(
    settlements: readonly Settlement[],
    breaker: BreakerTerms,
  ): Promise<(SettledAttempt | null)[]> {
    return settledAttempts(settlements, await this.record(settlements.map(recordable), breaker));
  }

  /** See `settle`. Returns only what the caller can't know. */
  record(settlements: readonly Recordable[], breaker: BreakerTerms): Promise<SettleResult[]> {
    return this.#writer.write(() => this.#settling.record(settlements, breaker));
  }
}
