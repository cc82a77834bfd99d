import { isHealthy } from '../../core/destination-health.ts';
import type { Logger, WakingClock } from '../../core/runtime.ts';
import type { ClaimedDelivery, ClaimTerms, NewDeliveries } from '../../store/contract/claims.ts';
import type {
  Outgoing,
  QueueStore,
  SettledAttempt,
  Settlement,
} from '../../store/contract/queue.ts';
import {
  ClaimRoom,
  MAX_WAITING_PER_DESTINATION,
  MAX_WAITING_PER_UNHEALTHY,
  mostWaitingFor,
} from './claim-room.ts';
import type { Dispatcher } from './dispatcher.ts';
import { LEASE_MS, LeaseKeeper, TICK_MS } from './lease-keeper.ts';
import { RestingSlots } from './resting-slots.ts';
import { Settler } from './settler.ts';
import type { Throttle } from './throttle.ts';

/** While unhealthy destinations wait in the table for room, what is due is looked at no sooner than this, ms. */
const UNHEALTHY_AGAIN_MS = 1000;
/** Attempts that the throttle keeps back are looked at again after this, ms, or at the next commit. */
const PACE_AGAIN_MS = 100;

export interface SchedulerOptions {
  queue: QueueStore;
  dispatcher: Dispatcher;
  throttle: Throttle;
  clock: WakingClock;
  log: Logger;
  /** An attempt's deadline: a claim outlives it. */
  attemptTimeoutMs: number;
  /** Makes one attempt; null when it was ended by `abort`. */
  attempt(claim: ClaimedDelivery, outgoing: Outgoing): Promise<Settlement | null>;
  /** Ends all attempts under way. */
  abort(): void;
  /** After each commit of attempts. */
  onSettled(settled: readonly SettledAttempt[]): void;
}

/**
 * Works off the durable queue. Deliveries come in two ways: handed over by the
 * commit that made them (`accept`), already claimed, or claimed from the table
 * when their time has come (`#refill`). Between the two, nothing is polled: one
 * timer stands on the next due time, and a tick is the net under it.
 *
 * A destination is `behind` while the table holds due deliveries of it that
 * nobody has claimed; then its new ones stay in the table too, so that the
 * oldest go first. A lane that runs low asks for the next of them.
 *
 * Each attempt: claim → `begin` (the claim must still be live) → request →
 * settle, in groups, with whatever else is committed in that turn of the event
 * loop. A crash anywhere leaves the delivery due: it is attempted again.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #settler: Settler;
  readonly #leases: LeaseKeeper;
  readonly #room: ClaimRoom;
  readonly #behind = new Set<number>();
  #pumpScheduled = false;
  /** The last claim was cut short by what memory holds. */
  #moreInTable = false;
  /** It took all the unhealthy destinations that memory holds: more of them wait in the table. */
  #moreUnhealthy = false;
  #refilling = false;
  #refillAgain = false;
  #stopped = true;
  #dueTimer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #tick: NodeJS.Timeout | undefined;
  #paceTimer: NodeJS.Timeout | undefined;
  /** What went wrong here and not at the destination: given back at the next tick, not to storm. */
  #failed: ClaimedDelivery[] = [];
  /** Attempts under way: their claims are renewed as those that wait. */
  readonly #underWay = new Set<ClaimedDelivery>();
  readonly #resting = new RestingSlots();
  #quiet: (() => void)[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { queue, dispatcher, clock, log, onSettled } = options;
    this.#room = new ClaimRoom(dispatcher);
    this.#settler = new Settler({
      queue,
      log,
      isStopped: () => this.#stopped,
      onSettled: (settled, batch) => {
        onSettled(settled);
        for (const { next } of batch) {
          if (next.state === 'pending') this.#arm(next.nextAttemptAt);
        }
      },
      onUnblocked: () => this.#refill(),
      onIdle: () => {
        this.#pump();
        this.#announceQuiet();
      },
    });
    this.#leases = new LeaseKeeper({
      queue,
      clock,
      log,
      held: () => [...dispatcher.claims(), ...this.#underWay, ...this.#settler.claims()],
    });
  }

  start(): void {
    this.#stopped = false;
    this.#leases.start();
    this.#tick = setInterval(() => void this.#onTick(), TICK_MS).unref();
    this.#refill();
  }

  /**
   * What a commit may hand over: not more than fits, and nothing out of turn.
   *
   * @param isAhead another commit is under way. What it hands over of an unhealthy
   *   destination, which has one place, comes first.
   */
  terms(isAhead = false): ClaimTerms {
    const { limit, unhealthyLimit } = this.#room.free();
    return {
      leaseUntil: this.#options.clock.now() + LEASE_MS,
      limit: this.#stopped ? 0 : limit,
      unhealthyLimit: isAhead ? 0 : unhealthyLimit,
      skip: this.#behind,
    };
  }

  /** Takes over what a commit has made. */
  accept({ claimed, unclaimed }: NewDeliveries): void {
    const { dispatcher } = this.#options;
    if (this.#stopped) {
      if (claimed.length > 0) void this.#giveBack(claimed);
      return;
    }
    dispatcher.add(claimed);
    for (const { destination } of claimed) {
      if (dispatcher.waitingFor(destination.key) >= mostWaitingFor(destination)) {
        this.#behind.add(destination.key);
      }
    }
    this.wake(unclaimed);
    this.#pump();
  }

  /** Deliveries of these destinations wait in the table, due now. */
  wake(destinationKeys: ReadonlySet<number>): void {
    let low = false;
    for (const key of destinationKeys) {
      this.#behind.add(key);
      low ||= this.#room.runsLow(key);
    }
    if (low) this.#refill();
  }

  /** Something may be due that nobody has told of. */
  look(): void {
    this.#refill();
  }

  /**
   * Starts nothing more, gives attempts under way `graceMs` to end, aborts the
   * rest, records what ended and gives all other claims back.
   */
  async stop(graceMs: number): Promise<void> {
    const { dispatcher, abort } = this.#options;
    this.#stopped = true;
    clearInterval(this.#tick);
    clearTimeout(this.#dueTimer);
    clearTimeout(this.#paceTimer);
    this.#resting.freeAll();
    const timer = setTimeout(abort, graceMs);
    await this.#giveBack([...dispatcher.clear(), ...this.#failed.splice(0)]);
    if (dispatcher.running > 0 || !this.#settler.isEmpty) {
      await new Promise<void>((resolve) => this.#quiet.push(resolve));
    }
    clearTimeout(timer);
  }

  /** Slots that fall free in one turn of the event loop are filled together. */
  #pumpSoon(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    setImmediate(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#stopped || this.#settler.isBlocked) return;
    const { dispatcher, throttle } = this.#options;
    const batch: ClaimedDelivery[] = [];
    while (throttle.allows()) {
      const claim = dispatcher.next();
      if (!claim) break;
      throttle.onStart();
      batch.push(claim);
      if (this.#behind.has(claim.destination.key) && this.#room.runsLow(claim.destination.key)) {
        this.#refill();
      }
    }
    if (!throttle.allows()) this.#pumpLater();
    if (this.#moreInTable && this.#room.isWorthALook()) this.#refill();
    else if (this.#moreUnhealthy && this.#room.isWorthALookForUnhealthy()) this.#refill();
    if (batch.length > 0) void this.#begin(batch);
  }

  #pumpLater(): void {
    this.#paceTimer ??= setTimeout(() => {
      this.#paceTimer = undefined;
      this.#pump();
    }, PACE_AGAIN_MS).unref();
  }

  async #begin(batch: ClaimedDelivery[]): Promise<void> {
    const { queue, dispatcher, clock, attemptTimeoutMs, log } = this.#options;
    try {
      const leaseUntil = clock.now() + attemptTimeoutMs + LEASE_MS;
      const outgoing = await queue.begin(batch, leaseUntil);
      // The process may have been stopped meanwhile: others take what it would begin now.
      const isLate = clock.now() + attemptTimeoutMs > leaseUntil;
      for (const [i, claim] of batch.entries()) {
        const request = outgoing[i];
        if (request && !isLate) void this.#attempt(claim, request);
        else dispatcher.done(claim);
      }
      if (isLate) await this.#giveBackLater(batch);
    } catch (error) {
      if (batch.length > 1) {
        // One row that can't be read must not keep back those beside it.
        await Promise.all(batch.map((claim) => this.#begin([claim])));
        return;
      }
      for (const claim of batch) dispatcher.done(claim);
      await this.#giveBackLater(batch);
      log.error('could not read what is to be delivered', { error, deliveries: batch.length });
    }
    this.#pump();
    this.#announceQuiet();
  }

  async #attempt(claim: ClaimedDelivery, outgoing: Outgoing): Promise<void> {
    const { attempt, attemptTimeoutMs, dispatcher, log } = this.#options;
    let made: Settlement | null = null;
    this.#underWay.add(claim);
    try {
      made = await attempt(claim, outgoing);
    } catch (error) {
      log.error('a delivery attempt failed unexpectedly', { delivery: claim.id, error });
    }
    this.#underWay.delete(claim);
    if (made) dispatcher.learn(claim.destination.key, made);
    if (dispatcher.isUnhealthy(claim.destination.key)) this.#makeRoom(claim.destination.key);
    if (made) this.#settler.add(made);
    else await this.#giveBackLater([claim]);
    const restMs = made?.timedOut ? attemptTimeoutMs - made.attempt.durationMs : 0;
    if (restMs > 0 && !this.#stopped) this.#resting.add(restMs, () => this.#free(claim));
    else this.#free(claim);
  }

  #free(claim: ClaimedDelivery): void {
    this.#options.dispatcher.done(claim);
    this.#pumpSoon();
    this.#announceQuiet();
  }

  /** What waits for a destination that has become unhealthy: the places are for others like it. */
  #makeRoom(destinationKey: number): void {
    const surplus = this.#options.dispatcher.takeBack(destinationKey, MAX_WAITING_PER_UNHEALTHY);
    if (surplus.length === 0) return;
    this.#behind.add(destinationKey);
    void this.#giveBack(surplus);
  }

  /** Claims what is due and fits, and stands the timer on what is due next. One at a time. */
  #refill(): void {
    this.#refillAgain = true;
    if (this.#refilling || this.#stopped) return;
    this.#refilling = true;
    void this.#refillLoop();
  }

  async #refillLoop(): Promise<void> {
    const { log } = this.#options;
    try {
      while (this.#refillAgain && !this.#stopped) {
        this.#refillAgain = false;
        await this.#claim();
      }
    } catch (error) {
      log.error('could not claim due deliveries', { error });
    }
    this.#refilling = false;
  }

  async #claim(): Promise<void> {
    const { queue, dispatcher, clock } = this.#options;
    // While attempts can't be recorded, more of them would only be made in vain.
    if (this.#settler.isBlocked) return;
    this.#moreInTable = !this.#room.isWorthALook();
    if (this.#moreInTable) return;
    const now = await this.#leases.follow();
    const room = this.#room.free();
    const full = new Set([...this.#behind].filter((key) => !this.#room.runsLow(key)));
    const claims = await queue.claimDue(now, {
      ...room,
      leaseUntil: clock.now() + LEASE_MS,
      perDestination: MAX_WAITING_PER_DESTINATION,
      skip: full,
    });
    if (this.#stopped) return this.#giveBack(claims);
    const unhealthy = claims.filter(({ destination }) => !isHealthy(destination.health)).length;
    this.#moreInTable = claims.length >= room.limit;
    this.#moreUnhealthy = unhealthy >= room.unhealthyLimit;
    this.#noteWhoIsBehind(claims, full, this.#moreInTable || this.#moreUnhealthy);
    dispatcher.add(claims);
    this.#pump();
    if (claims.length >= room.limit) return;
    const next = await queue.nextDueAt(clock.now(), this.#behind);
    // Suspects that memory has no room for are due all the time: not a reason to spin.
    if (next !== null)
      this.#arm(this.#moreUnhealthy ? Math.max(next, clock.now() + UNHEALTHY_AGAIN_MS) : next);
  }

  #noteWhoIsBehind(
    claims: readonly ClaimedDelivery[],
    full: ReadonlySet<number>,
    cutShort: boolean,
  ): void {
    const taken = new Map<number, number>();
    const hasMore = new Set<number>();
    for (const { destination } of claims) {
      const count = (taken.get(destination.key) ?? 0) + 1;
      taken.set(destination.key, count);
      if (count >= mostWaitingFor(destination)) hasMore.add(destination.key);
    }
    for (const key of hasMore) this.#behind.add(key);
    if (cutShort) return;
    for (const key of this.#behind) {
      if (!full.has(key) && !hasMore.has(key)) this.#behind.delete(key);
    }
  }

  #arm(dueAt: number): void {
    if (this.#stopped || dueAt >= this.#dueAt) return;
    clearTimeout(this.#dueTimer);
    this.#dueAt = dueAt;
    const delay = Math.min(TICK_MS, Math.max(0, dueAt - this.#options.clock.now()));
    this.#dueTimer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#refill();
    }, delay).unref();
  }

  async #onTick(): Promise<void> {
    try {
      await this.#leases.follow();
      await this.#leases.renew();
      await this.#giveBack(this.#failed.splice(0));
    } catch (error) {
      this.#options.log.error('the delivery tick failed', { error });
    }
    this.#refill();
  }

  async #giveBackLater(claims: readonly ClaimedDelivery[]): Promise<void> {
    if (this.#stopped) await this.#giveBack(claims);
    else this.#failed.push(...claims);
  }

  /** What can't be given back, as the store is away, is free when its lease has ended. */
  async #giveBack(claims: readonly ClaimedDelivery[]): Promise<void> {
    if (claims.length === 0) return;
    const { queue, log } = this.#options;
    await queue.release(claims).catch((error) => {
      log.error('could not give claims back', { error, deliveries: claims.length });
    });
  }

  #announceQuiet(): void {
    const { dispatcher } = this.#options;
    if (dispatcher.running > 0 || this.#settler.isUnderWay) return;
    for (const resolve of this.#quiet.splice(0)) resolve();
  }
}
