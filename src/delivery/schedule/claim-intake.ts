import { AUTO_START } from '../../core/flow/permits.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery, ClaimTerms, NewDeliveries } from '../../store/contract/claims.ts';
import type { QueueStore } from '../../store/contract/queue.ts';
import { Backlog } from './backlog.ts';
import type { ClaimReturns } from './claim-returns.ts';
import { ClaimRoom, MAX_WAITING_PER_ONE_SLOT } from './claim-room.ts';
import type { Dispatcher } from './dispatcher.ts';
import { DueTimer } from './due-timer.ts';
import { Estimate } from './estimate.ts';
import { LEASE_MS, type LeaseKeeper } from './lease-keeper.ts';
import { SingleRun } from './single-run.ts';
import { TimedQueue } from './timed-queue.ts';

/**
 * The shortest pause before the next poll, ms, if memory is full for destinations with one slot.
 */
const ONE_SLOT_AGAIN_MS = 1000;

/** The period for which a poll asks each rate to grant starts, ms. */
const GRANTED_AHEAD_MS = 500;
/** The part of a granted start time that is kept for delays of busy nodes and networks, ms. */
const SPARE_MS = 40;
/**
 * Claims with a granted start reach their lanes a little before it, because `QueueStore.begin`
 * takes time. They come earlier by `BEGIN_MARGIN` times the usual duration of `begin`, but by at
 * most `MOST_BEGIN_AHEAD_MS`.
 */
const BEGIN_MARGIN = 2;
const MOST_BEGIN_AHEAD_MS = 250;

export interface ClaimIntakeOptions {
  queue: Pick<QueueStore, 'claimDue' | 'nextDueAt'>;
  dispatcher: Dispatcher;
  leases: Pick<LeaseKeeper, 'follow'>;
  returns: ClaimReturns;
  clock: WakingClock;
  log: Logger;
  /** The server's deadline of an attempt, ms. */
  attemptTimeoutMs: number;
  /** Whether other nodes claim deliveries of the same store. */
  isShared: boolean;
  isStopped(): boolean;
  /**
   * Whether attempts can't be recorded at present. No attempt may start then, because it would have
   * to be repeated.
   */
  isBlocked(): boolean;
  /** Called after claims were added to their lanes. */
  onAdded(claims: readonly ClaimedDelivery[]): void;
}

/**
 * Adds claims to the dispatcher's lanes while memory has room. A commit hands over the claims of
 * its new deliveries. The intake polls the table for all other deliveries when they are due.
 */
export class ClaimIntake {
  readonly #options: ClaimIntakeOptions;
  readonly #room: ClaimRoom;
  readonly #backlog: Backlog;
  readonly #dueTimer: DueTimer;
  readonly #claiming: SingleRun;
  /** The estimated duration of a poll. */
  readonly #polling = new Estimate();
  /** Claims whose rate granted a later start. */
  readonly #later: TimedQueue<ClaimedDelivery>;
  /** Destinations that have changed since their last claim. */
  readonly #reconsidered = new Set<number>();
  /** The destinations of the next poll; null means all. */
  #wanted: Set<number> | null = new Set();

  constructor(options: ClaimIntakeOptions) {
    const { dispatcher, clock, log } = options;
    this.#options = options;
    this.#room = new ClaimRoom(dispatcher, () => (options.isShared ? this.#polling.ms : 0));
    this.#later = new TimedQueue(clock, (claim) => this.#add([claim]));
    this.#backlog = new Backlog(this.#room);
    this.#dueTimer = new DueTimer(clock, () => this.poll());
    this.#claiming = new SingleRun(
      () => this.#claim(),
      (error) => log.error('could not claim due deliveries', { error }),
    );
  }

  /**
   * Returns how many claims a commit may hand over. `isAhead` is explained at `Scheduler.terms`.
   */
  terms(isAhead: boolean): ClaimTerms {
    const { limit, oneSlotLimit } = this.#room.free();
    return {
      leaseUntil: this.#leaseUntil,
      limit: this.#options.isStopped() ? 0 : limit,
      oneSlotLimit: isAhead ? 0 : oneSlotLimit,
      skip: this.#backlog.behind,
    };
  }

  accept({ claimed, unclaimed }: NewDeliveries): void {
    const { dispatcher, returns, isStopped, onAdded } = this.#options;
    if (isStopped()) {
      void returns.giveBack(claimed);
      return;
    }
    dispatcher.add(claimed);
    for (const { destination } of claimed) {
      if (dispatcher.waitingFor(destination.key) >= this.#room.mostWaitingFor(destination)) {
        this.#backlog.add(destination.key);
      }
    }
    this.wake(unclaimed);
    onAdded(claimed);
  }

  /** Returns the claims that wait for a granted start. */
  claims(): ClaimedDelivery[] {
    return this.#later.items();
  }

  /** Reports that the table has due deliveries of these destinations. */
  wake(destinationKeys: ReadonlySet<number>): void {
    for (const key of destinationKeys) this.#backlog.add(key);
    this.#pollFor(destinationKeys);
  }

  /**
   * Reports that a limit or setting of these destinations has changed. The next settled attempt of
   * each destination asks for another poll, because earlier claims may be in the way.
   */
  reconsider(destinationKeys: ReadonlySet<number>): void {
    for (const key of destinationKeys) this.#reconsidered.add(key);
    this.wake(destinationKeys);
  }

  isReconsidered(destinationKey: number): boolean {
    return this.#reconsidered.has(destinationKey);
  }

  /** Claims due deliveries of all destinations while memory has room. */
  poll(): void {
    this.#ask(null);
  }

  /** Reports that a delivery in the table is due at `dueAt`, Unix ms. */
  expect(dueAt: number): void {
    if (!this.#options.isStopped()) this.#dueTimer.arm(dueAt);
  }

  /**
   * Claims more deliveries if these lanes run low. Also claims if memory has room for deliveries
   * that the last poll left in the table.
   */
  refill(destinationKeys: Iterable<number>): void {
    if (this.#backlog.isWorthAPoll()) this.poll();
    else this.#pollFor(destinationKeys);
  }

  /**
   * Keeps one waiting claim of a destination with one slot, and gives the rest back. Other
   * destinations with one slot get that room.
   */
  shrink(destinationKey: number): void {
    const { dispatcher, returns } = this.#options;
    const surplus = dispatcher.takeBack(destinationKey, MAX_WAITING_PER_ONE_SLOT);
    if (surplus.length === 0) return;
    this.#backlog.add(destinationKey);
    void returns.giveBack(surplus);
  }

  /** Stops the timers. Returns the claims that waited for a granted start. */
  stop(): ClaimedDelivery[] {
    this.#dueTimer.stop();
    return this.#later.clear();
  }

  #pollFor(destinationKeys: Iterable<number>): void {
    const wanting = [...destinationKeys].filter((key) => this.#backlog.isWanting(key));
    if (wanting.length > 0) this.#ask(wanting);
  }

  /**
   * Asks for a poll of these destinations; null means all. A poll of all destinations costs a step
   * for each one with open deliveries.
   */
  #ask(destinationKeys: readonly number[] | null): void {
    if (this.#options.isStopped()) return;
    if (destinationKeys === null) this.#wanted = null;
    for (const key of destinationKeys ?? []) this.#wanted?.add(key);
    this.#claiming.ask();
  }

  /** Claims due deliveries while memory has room. Sets the timer to the next due time. */
  async #claim(): Promise<void> {
    const { queue, leases, returns, clock, attemptTimeoutMs, isStopped, isBlocked } = this.#options;
    if (isStopped() || isBlocked() || !this.#backlog.mayPoll()) return;
    const only = this.#wanted ?? undefined;
    this.#wanted = new Set();
    const now = await leases.follow();
    const asked = clock.monotonic();
    const room = this.#room.forPoll();
    const terms = {
      ...room,
      ...this.#sharing(),
      leaseUntil: this.#leaseUntil,
      attemptTimeoutMs,
      depths: this.#backlog.depths(room.perDestination),
      skip: this.#backlog.supplied(),
      startable: this.#startable(only),
      ...(only && { only }),
    };
    const claims = await queue.claimDue(now, terms);
    if (claims.length > 0) this.#polling.add(clock.monotonic() - asked);
    if (isStopped()) return returns.giveBack(claims);
    this.#backlog.onClaimed(claims, terms);
    for (const { destination } of claims) this.#reconsidered.delete(destination.key);
    this.#admit(claims);
    if (claims.length >= terms.limit) return;
    const next = await queue.nextDueAt(clock.now(), this.#backlog.behind, only, this.#sharing());
    if (next === null) return;
    // Deliveries of destinations with one slot stay due while memory is full. Without a pause,
    // polls would follow each other at once.
    const earliest = this.#backlog.hasMoreOneSlot ? clock.now() + ONE_SLOT_AGAIN_MS : 0;
    this.expect(Math.max(next, earliest));
  }

  /** Adds claims to their lanes. A claim with a later start waits until it should begin. */
  #admit(claims: readonly ClaimedDelivery[]): void {
    const { dispatcher, clock } = this.#options;
    const soon: ClaimedDelivery[] = [];
    const aheadMs = Math.min(MOST_BEGIN_AHEAD_MS, dispatcher.beginning.ms * BEGIN_MARGIN);
    for (const claim of claims) {
      const beginAt = (claim.start?.from ?? 0) - aheadMs;
      if (beginAt > clock.now()) this.#later.add(claim, beginAt);
      else soon.push(claim);
    }
    this.#add(soon);
  }

  #add(claims: readonly ClaimedDelivery[]): void {
    this.#options.dispatcher.add(claims);
    this.#options.onAdded(claims);
  }

  /**
   * The end of a new claim's lease, Unix ms. Where no other node waits for it, it lasts beyond an
   * attempt, so that `begin` needn't renew it.
   */
  get #leaseUntil(): number {
    const { clock, isShared, attemptTimeoutMs } = this.#options;
    return clock.now() + LEASE_MS + (isShared ? 0 : attemptTimeoutMs);
  }

  /** Returns a poll's terms for rates and slots that several nodes share. */
  #sharing(): Pick<ClaimTerms, 'grants' | 'slots'> {
    const { isShared, dispatcher, clock, attemptTimeoutMs } = this.#options;
    if (!isShared) return {};
    const until = clock.now() + attemptTimeoutMs + 2 * LEASE_MS;
    return {
      grants: {
        leadMs: Math.ceil(this.#leadMs),
        aheadMs: GRANTED_AHEAD_MS,
        spareMs: SPARE_MS,
      },
      slots: { until, held: dispatcher.heldSlots() },
    };
  }

  /** The time from a poll to the start of the attempts that it claims, ms. */
  get #leadMs(): number {
    return this.#polling.ms + this.#options.dispatcher.beginning.ms;
  }

  /**
   * Returns how many more deliveries of each destination could start in the period for which rates
   * grant starts.
   */
  #startable(only: ReadonlySet<number> | undefined): ReadonlyMap<number, number> {
    const { dispatcher, isShared } = this.#options;
    const withinMs = isShared ? this.#leadMs + GRANTED_AHEAD_MS : 0;
    const later = this.#later.items().map(({ destination }) => destination.key);
    const startable = dispatcher.startable(only ?? [...dispatcher.keys(), ...later], withinMs);
    for (const key of later) {
      startable.set(key, Math.max(0, (startable.get(key) ?? AUTO_START) - 1));
    }
    return startable;
  }
}
