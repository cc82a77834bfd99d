import type { Logger, WakingClock } from '../../core/runtime.ts';
import type { ClaimTerms, NewDeliveries } from '../../store/contract/claims.ts';
import type { QueueStore } from '../../store/contract/queue.ts';
import { Backlog } from './backlog.ts';
import type { ClaimReturns } from './claim-returns.ts';
import {
  ClaimRoom,
  MAX_WAITING_PER_DESTINATION,
  MAX_WAITING_PER_UNHEALTHY,
  mostWaitingFor,
} from './claim-room.ts';
import type { Dispatcher } from './dispatcher.ts';
import { DueTimer } from './due-timer.ts';
import { LEASE_MS, type LeaseKeeper } from './lease-keeper.ts';
import { SingleRun } from './single-run.ts';

/** While unhealthy destinations wait in the table for room, it is looked at no sooner than this, ms. */
const UNHEALTHY_AGAIN_MS = 1000;

export interface ClaimIntakeOptions {
  queue: Pick<QueueStore, 'claimDue' | 'nextDueAt'>;
  dispatcher: Dispatcher;
  leases: Pick<LeaseKeeper, 'follow'>;
  returns: ClaimReturns;
  clock: WakingClock;
  log: Logger;
  isStopped(): boolean;
  /** Attempts can't be recorded: more of them would only be made in vain. */
  isBlocked(): boolean;
  /** Claims wait in their lanes. */
  onAdded(): void;
}

/**
 * Brings claims into the dispatcher's lanes, as many as memory has room for: those
 * that a commit hands over, and those that it claims from the table when their
 * time has come.
 */
export class ClaimIntake {
  readonly #options: ClaimIntakeOptions;
  readonly #room: ClaimRoom;
  readonly #backlog: Backlog;
  readonly #dueTimer: DueTimer;
  readonly #claiming: SingleRun;

  constructor(options: ClaimIntakeOptions) {
    const { dispatcher, clock, log } = options;
    this.#options = options;
    this.#room = new ClaimRoom(dispatcher);
    this.#backlog = new Backlog(this.#room);
    this.#dueTimer = new DueTimer(clock, () => this.look());
    this.#claiming = new SingleRun(
      () => this.#claim(),
      (error) => log.error('could not claim due deliveries', { error }),
    );
  }

  /** What a commit may hand over; `isAhead` as in `Scheduler.terms`. */
  terms(isAhead: boolean): ClaimTerms {
    const { limit, unhealthyLimit } = this.#room.free();
    return {
      leaseUntil: this.#options.clock.now() + LEASE_MS,
      limit: this.#options.isStopped() ? 0 : limit,
      unhealthyLimit: isAhead ? 0 : unhealthyLimit,
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
      if (dispatcher.waitingFor(destination.key) >= mostWaitingFor(destination)) {
        this.#backlog.add(destination.key);
      }
    }
    this.wake(unclaimed);
    onAdded();
  }

  /** Deliveries of these destinations wait in the table, due now. */
  wake(destinationKeys: ReadonlySet<number>): void {
    for (const key of destinationKeys) this.#backlog.add(key);
    this.#lookFor(destinationKeys);
  }

  /** Claims what is due and fits. */
  look(): void {
    if (!this.#options.isStopped()) this.#claiming.ask();
  }

  /** A delivery of the table is due at `dueAt`, Unix ms. */
  expect(dueAt: number): void {
    if (!this.#options.isStopped()) this.#dueTimer.arm(dueAt);
  }

  /** Lanes of these destinations were taken from, or none was and there may be room. */
  refill(destinationKeys: Iterable<number>): void {
    if (this.#backlog.isWorthALook()) this.look();
    else this.#lookFor(destinationKeys);
  }

  /** What waits for a destination that is unhealthy: the places are for others like it. */
  shrink(destinationKey: number): void {
    const { dispatcher, returns } = this.#options;
    const surplus = dispatcher.takeBack(destinationKey, MAX_WAITING_PER_UNHEALTHY);
    if (surplus.length === 0) return;
    this.#backlog.add(destinationKey);
    void returns.giveBack(surplus);
  }

  stop(): void {
    this.#dueTimer.stop();
  }

  #lookFor(destinationKeys: Iterable<number>): void {
    for (const key of destinationKeys) {
      if (!this.#backlog.isWanting(key)) continue;
      this.look();
      return;
    }
  }

  /** Claims what is due and fits, and sets the timer to what is due next. */
  async #claim(): Promise<void> {
    const { queue, dispatcher, leases, returns, clock, isStopped, isBlocked } = this.#options;
    if (isStopped() || isBlocked() || !this.#backlog.mayLook()) return;
    const now = await leases.follow();
    const room = this.#room.free();
    const skip = this.#backlog.supplied();
    const claims = await queue.claimDue(now, {
      ...room,
      leaseUntil: clock.now() + LEASE_MS,
      perDestination: MAX_WAITING_PER_DESTINATION,
      skip,
    });
    if (isStopped()) return returns.giveBack(claims);
    this.#backlog.onClaimed(claims, room, skip);
    dispatcher.add(claims);
    this.#options.onAdded();
    if (claims.length >= room.limit) return;
    const next = await queue.nextDueAt(clock.now(), this.#backlog.behind);
    if (next === null) return;
    // Unhealthy ones that memory has no room for are due all the time: not a reason to spin.
    const earliest = this.#backlog.hasMoreUnhealthy ? clock.now() + UNHEALTHY_AGAIN_MS : 0;
    this.expect(Math.max(next, earliest));
  }
}
