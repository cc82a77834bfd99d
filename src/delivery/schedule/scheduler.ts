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
  abort(): void;
  onSettled(settled: readonly SettledAttempt[]): void;
}

/**
 * Works through the durable queue. It doesn't poll at intervals. One timer is set to the next due
 * time, and a slow tick finds what the timer missed. After a crash, unfinished deliveries are due
 * and are attempted again.
 *
 * A claim is the right to make one attempt of a delivery. Its token and its lease let the store
 * check that the claim still counts. In this process, one object at a time has the claim:
 *
 * 1. **Claimed.** A commit hands its new deliveries' claims to `ClaimIntake` (`accept`). The intake
 * claims all other due deliveries from the table. `ClaimRoom` limits both. `Backlog` knows the
 * destinations whose deliveries stay in the table. If a rate granted a later start, the claim waits
 * in the intake.
 * 2. **Waiting.** The claim waits in its destination's lane in the `Dispatcher`. Step 3 follows at
 * the lane's turn. If an attempt to the destination times out, step 6 follows for all but one of
 * its claims, because the destination has one slot.
 * 3. **Beginning.** `AttemptRunner` takes the claim and a slot. `begin` reads the request and
 * extends the lease past the attempt's deadline. The claim may then wait in the `StartGate` for its
 * rate or fixed concurrency. Step 4 follows. If `begin` fails or answers too late, step 6 follows.
 * If the store has ended the claim, nothing follows.
 * 4. **Under way.** `AttemptRunner` has the claim during the request. Step 5 follows an outcome. If
 * the shutdown or a fault of hookrelay ends the attempt, step 6 follows.
 * 5. **Ended.** `Settler` has the claim and its outcome until the store has recorded it. The record
 * ends the claim. The slot is already free, or rests (`RestingSlots`).
 * 6. **Released.** `ClaimReturns` gives the unused claim back. It does so at once, or at the next
 * tick after a fault of hookrelay.
 *
 * At every tick, `LeaseKeeper` collects and renews the claims.
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
  /** Resolvers of `stop` calls that wait until the last attempt is recorded. */
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
   * Returns which claims a commit may hand over. They fit in memory and overtake no older
   * deliveries.
   *
   * @param isAhead an earlier commit is still under way. Then this commit hands over no claims of
   * destinations with one slot, because the earlier commit may use that slot
   */
  terms(isAhead = false): ClaimTerms {
    return this.#intake.terms(isAhead);
  }

  accept(deliveries: NewDeliveries): void {
    this.#intake.accept(deliveries);
  }

  /** Reports that the table has due deliveries of these destinations. */
  wake(destinationKeys: ReadonlySet<number>): void {
    this.#intake.wake(destinationKeys);
  }

  /** Reports that a limit or setting of these destinations has changed. */
  reconsider(destinationKeys: ReadonlySet<number>): void {
    this.#attempts.expire(destinationKeys);
    this.#intake.reconsider(destinationKeys);
  }

  /** Reports that another node may have changed these destinations; null means all. */
  expire(destinationKeys: ReadonlySet<number> | null): void {
    this.#attempts.expire(destinationKeys);
  }

  /** Claims due deliveries, even if nobody has reported them. */
  poll(): void {
    this.#intake.poll();
  }

  /**
   * Stops starting attempts. Aborts attempts that don't end within `graceMs`. Records the ended
   * attempts, and gives all other claims back.
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
   * Returns the destinations that may send another delivery because these attempts were recorded.
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
