import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery, ClaimTerms, NewDeliveries } from '../../store/contract/claims.ts';
import type { ClusterStore } from '../../store/contract/cluster.ts';
import type {
  Outgoing,
  QueueStore,
  SettledAttempt,
  Settlement,
} from '../../store/contract/queue.ts';
import { AttemptRunner } from './attempt-runner.ts';
import { ClaimIntake } from './claim-intake.ts';
import { ClaimReturns } from './claim-returns.ts';
import type { Dispatcher } from './dispatcher.ts';
import { LeaseKeeper, TICK_MS } from './lease-keeper.ts';
import { Settler } from './settler.ts';
import { SlotKeeper } from './slot-keeper.ts';
import type { Throttle } from './throttle.ts';

export interface SchedulerOptions {
  queue: QueueStore;
  dispatcher: Dispatcher;
  throttle: Throttle;
  clock: WakingClock;
  log: Logger;
  /** The conditions that open a destination's breaker. */
  breaker: BreakerTerms;
  /** The server's deadline of an attempt, ms. A claim's lease ends later. */
  attemptTimeoutMs: number;
  /** See `SettlerOptions`. */
  isApart(claim: ClaimedDelivery): boolean;
  /** Gives slots of shared fixed concurrencies back. Null if this process is the only node. */
  slots: Pick<ClusterStore, 'giveSlotsBack'> | null;
  /** Makes one attempt. Resolves with null if `abort` ended it. */
  attempt(claim: ClaimedDelivery, outgoing: Outgoing): Promise<Settlement | null>;
  /** Ends all attempts under way. */
  abort(): void;
  /** Called after each commit of attempts. */
  onSettled(settled: readonly SettledAttempt[]): void;
}

/**
 * Works through the durable queue. It doesn't poll at intervals. One timer is set to the next due
 * time, and a slow tick finds whatever the timer missed. A crash at any point leaves the delivery
 * due, so it is attempted again.
 *
 * A claim is the right to make one attempt of a delivery. The claim has a token and a lease. They
 * tell the store whether the claim is live. In this process, one object at a time holds the claim,
 * in these steps:
 *
 * 1. **Claimed.** `ClaimIntake` gets the claim. Either the commit that made the delivery hands it
 *    over (`accept`), or the intake claims the due delivery from the table. The intake takes no
 *    more claims than `ClaimRoom` allows. `Backlog` knows the destinations whose deliveries stay in
 *    the table. If a rate granted the claim a later start, the claim waits in the intake.
 * 2. **Waiting.** The claim waits in its destination's lane in the `Dispatcher`. Step 3 follows at
 *    the lane's turn. Step 6 follows if another attempt times out, so that the destination keeps
 *    only one slot.
 * 3. **Beginning.** `AttemptRunner` takes the claim and a place. `begin` reads the request and
 *    extends the lease past the attempt's deadline. If a rate or a fixed concurrency holds the
 *    claim back, the claim waits in the `StartGate`. Step 4 follows, or step 6 if `begin` fails or
 *    answers too late. If the store has ended the claim meanwhile, it ends here, and nobody gives
 *    it back.
 * 4. **Under way.** `AttemptRunner` holds the claim during the request. Step 5 follows if there is
 *    an outcome, and step 6 if the shutdown or a fault of hookrelay ended the attempt.
 * 5. **Ended.** `Settler` holds the claim and its outcome until the store has recorded the outcome.
 *    It records outcomes in groups. The record ends the claim. The slot is free by then, or rests
 *    (`RestingSlots`).
 * 6. **Released.** `ClaimReturns` gives the unused claim back: at the next tick after a fault of
 *    hookrelay, otherwise at once.
 *
 * At every tick, `LeaseKeeper` asks the holders for their claims and renews them.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #leases: LeaseKeeper;
  readonly #returns: ClaimReturns;
  readonly #intake: ClaimIntake;
  readonly #attempts: AttemptRunner;
  readonly #settler: Settler;
  readonly #slots: SlotKeeper;
  #isStopped = true;
  #tick: NodeJS.Timeout | undefined;
  /** Resolvers of the `stop` calls that wait until the last attempt is recorded. */
  #quiet: (() => void)[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { dispatcher, onSettled } = options;
    const isStopped = () => this.#isStopped;
    this.#returns = new ClaimReturns({ ...options, isStopped });
    this.#leases = new LeaseKeeper({
      ...options,
      held: () => [
        ...this.#intake.claims(),
        ...dispatcher.claims(),
        ...this.#attempts.claims(),
        ...this.#settler.claims(),
      ],
    });
    this.#slots = new SlotKeeper(options);
    this.#settler = new Settler({
      ...options,
      isStopped,
      onSettled: (settled, batch) => {
        onSettled(settled);
        for (const { next } of batch) {
          if (next.state === 'pending') this.#intake.expect(next.nextAttemptAt);
        }
        this.#intake.wake(this.#controlled(settled, batch));
      },
      onUnblocked: () => this.#intake.poll(),
      onIdle: () => {
        this.#attempts.fill();
        this.#announceQuiet();
      },
    });
    this.#intake = new ClaimIntake({
      ...options,
      leases: this.#leases,
      returns: this.#returns,
      isShared: options.slots !== null,
      isStopped,
      isBlocked: () => this.#settler.isBlocked,
      onAdded: (claims) => {
        this.#slots.note(claims);
        this.#attempts.fill();
      },
    });
    this.#attempts = new AttemptRunner({
      ...options,
      settler: this.#settler,
      returns: this.#returns,
      isStopped,
      onFilled: (claims) => this.#intake.refill(claims.map(({ destination }) => destination.key)),
      onUnused: (destinationKeys) => this.#intake.reconsider(new Set(destinationKeys)),
      onOneSlot: (destinationKey) => this.#intake.shrink(destinationKey),
      onFree: () => this.#announceQuiet(),
    });
  }

  start(): void {
    this.#isStopped = false;
    this.#leases.start();
    this.#tick = setInterval(() => void this.#onTick(), TICK_MS).unref();
    this.#intake.poll();
  }

  /**
   * Returns which claims a commit may hand over: no more than fit in memory, and none that would
   * overtake older deliveries.
   *
   * @param isAhead an earlier commit is still under way. A destination with one slot has one place,
   *   and that place is for the delivery of the earlier commit. So this commit hands over no claims
   *   of such destinations
   */
  terms(isAhead = false): ClaimTerms {
    return this.#intake.terms(isAhead);
  }

  /** Takes over the new deliveries of a commit. */
  accept(deliveries: NewDeliveries): void {
    this.#intake.accept(deliveries);
  }

  /** Reports that the table has deliveries of these destinations that are due now. */
  wake(destinationKeys: ReadonlySet<number>): void {
    this.#intake.wake(destinationKeys);
  }

  /** Reports that a limit or a setting that holds back these destinations has changed. */
  reconsider(destinationKeys: ReadonlySet<number>): void {
    this.#attempts.expire(destinationKeys);
    this.#intake.reconsider(destinationKeys);
  }

  /** Reports that another node may have changed these destinations; null means any of them. */
  expire(destinationKeys: ReadonlySet<number> | null): void {
    this.#attempts.expire(destinationKeys);
  }

  /** Claims the deliveries that are due, even if nobody has reported them. */
  poll(): void {
    this.#intake.poll();
  }

  /**
   * Starts no more attempts. Gives the attempts under way `graceMs` to end, and aborts those that
   * are left. Records the attempts that ended, and gives all other claims back.
   */
  async stop(graceMs: number): Promise<void> {
    const { dispatcher, abort } = this.#options;
    this.#isStopped = true;
    clearInterval(this.#tick);
    this.#slots.stop();
    const unused = [...this.#intake.stop(), ...this.#attempts.stop()];
    const timer = setTimeout(abort, graceMs);
    unused.push(...dispatcher.clear(), ...this.#returns.takeLater());
    await this.#returns.giveBack(unused);
    await this.#slots.giveBack();
    if (dispatcher.running > 0 || !this.#settler.isEmpty) {
      await new Promise<void>((resolve) => this.#quiet.push(resolve));
    }
    clearTimeout(timer);
    await this.#slots.giveBack();
  }

  async #onTick(): Promise<void> {
    try {
      await this.#leases.follow();
      await this.#leases.renew();
      await this.#returns.giveBack(this.#returns.takeLater());
    } catch (error) {
      this.#options.log.error('the delivery tick failed', { error });
    }
    this.#intake.poll();
  }

  #announceQuiet(): void {
    if (this.#options.dispatcher.running > 0 || this.#settler.isUnderWay) return;
    for (const resolve of this.#quiet.splice(0)) resolve();
  }

  /**
   * Returns the destinations that may send another delivery now, because these attempts were
   * recorded. These are the controlled destinations, those whose breaker opened or closed, those
   * where the next delivery of an order key may start, and those that changed since their last
   * claim.
   */
  #controlled(
    settled: readonly SettledAttempt[],
    batch: readonly Settlement[],
  ): ReadonlySet<number> {
    const changed = new Set(
      settled.flatMap(({ attempt }) => (attempt.health === null ? [] : [attempt.id])),
    );
    return new Set(
      batch.flatMap(({ claim: { destination, orderKey }, attempt }) =>
        destination.isControlled ||
        orderKey !== null ||
        changed.has(attempt.id) ||
        this.#intake.isReconsidered(destination.key)
          ? [destination.key]
          : [],
      ),
    );
  }
}
