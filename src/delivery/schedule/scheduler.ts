import type { Logger, WakingClock } from '../../core/runtime.ts';
import type { ClaimedDelivery, ClaimTerms, NewDeliveries } from '../../store/contract/claims.ts';
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
import type { Throttle } from './throttle.ts';

export interface SchedulerOptions {
  queue: QueueStore;
  dispatcher: Dispatcher;
  throttle: Throttle;
  clock: WakingClock;
  log: Logger;
  /** An attempt's deadline, ms: a claim outlives it. */
  attemptTimeoutMs: number;
  /** Makes one attempt; null when it was ended by `abort`. */
  attempt(claim: ClaimedDelivery, outgoing: Outgoing): Promise<Settlement | null>;
  /** Ends all attempts under way. */
  abort(): void;
  /** After each commit of attempts. */
  onSettled(settled: readonly SettledAttempt[]): void;
}

/**
 * Works off the durable queue. Nothing is polled: one timer stands on the next
 * due time, and a tick is the net under it. A crash anywhere leaves the delivery
 * due: it is attempted again.
 *
 * The life of a claim, the right to make one attempt of a delivery. The store
 * knows that the claim is live, by its token and its lease. In this process one
 * object holds it at a time:
 *
 * 1. **Claimed.** `ClaimIntake` gets it: handed over by the commit that made the
 *    delivery (`accept`), or claimed from the table when the delivery is due. It
 *    takes no more than `ClaimRoom` allows; `Backlog` knows whose deliveries stay
 *    in the table.
 * 2. **Waiting.** It waits in its destination's lane in the `Dispatcher`. Leads to 3
 *    when it is the lane's turn, or to 6 when the destination becomes unhealthy and
 *    keeps one place only.
 * 3. **Beginning.** `AttemptRunner` takes it, with a slot. `begin` reads the request
 *    and extends the lease past the attempt's deadline. A claim that is no longer
 *    live ends here: the store ended it, and nobody gives it back.
 * 4. **Under way.** `AttemptRunner` holds it while the request is made. It leads to 5
 *    with an outcome, or to 6 when the shutdown ended it.
 * 5. **Ended.** `Settler` holds it with its outcome until the store has recorded
 *    both, in groups. Its slot is free already, or rests. Recording it ends the claim.
 * 6. **Released.** `ClaimReturns` gives it back unused, at once, or at the next tick
 *    after a fault of our own.
 *
 * `LeaseKeeper` renews all claims of the steps 2, 4 and 5 at every tick. It holds
 * none: it asks.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #leases: LeaseKeeper;
  readonly #returns: ClaimReturns;
  readonly #intake: ClaimIntake;
  readonly #attempts: AttemptRunner;
  readonly #settler: Settler;
  #isStopped = true;
  #tick: NodeJS.Timeout | undefined;
  /** Who waits for the last attempt to be recorded. */
  #quiet: (() => void)[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { dispatcher, onSettled } = options;
    const isStopped = () => this.#isStopped;
    this.#returns = new ClaimReturns({ ...options, isStopped });
    this.#leases = new LeaseKeeper({
      ...options,
      held: () => [...dispatcher.claims(), ...this.#attempts.claims(), ...this.#settler.claims()],
    });
    this.#settler = new Settler({
      ...options,
      isStopped,
      onSettled: (settled, batch) => {
        onSettled(settled);
        for (const { next } of batch) {
          if (next.state === 'pending') this.#intake.expect(next.nextAttemptAt);
        }
      },
      onUnblocked: () => this.#intake.look(),
      onIdle: () => {
        this.#attempts.fill();
        this.#announceQuiet();
      },
    });
    this.#intake = new ClaimIntake({
      ...options,
      leases: this.#leases,
      returns: this.#returns,
      isStopped,
      isBlocked: () => this.#settler.isBlocked,
      onAdded: () => this.#attempts.fill(),
    });
    this.#attempts = new AttemptRunner({
      ...options,
      settler: this.#settler,
      returns: this.#returns,
      isStopped,
      onFilled: (claims) => this.#intake.refill(claims.map(({ destination }) => destination.key)),
      onUnhealthy: (destinationKey) => this.#intake.shrink(destinationKey),
      onFree: () => this.#announceQuiet(),
    });
  }

  start(): void {
    this.#isStopped = false;
    this.#leases.start();
    this.#tick = setInterval(() => void this.#onTick(), TICK_MS).unref();
    this.#intake.look();
  }

  /**
   * What a commit may hand over: not more than fits, and nothing out of turn.
   *
   * @param isAhead another commit is under way. What it hands over of an unhealthy
   *   destination, which has one place, comes first.
   */
  terms(isAhead = false): ClaimTerms {
    return this.#intake.terms(isAhead);
  }

  /** Takes over what a commit has made. */
  accept(deliveries: NewDeliveries): void {
    this.#intake.accept(deliveries);
  }

  /** Deliveries of these destinations wait in the table, due now. */
  wake(destinationKeys: ReadonlySet<number>): void {
    this.#intake.wake(destinationKeys);
  }

  /** Something may be due that nobody has reported. */
  look(): void {
    this.#intake.look();
  }

  /**
   * Starts nothing more, gives attempts under way `graceMs` to end, aborts the
   * rest, records what ended and gives all other claims back.
   */
  async stop(graceMs: number): Promise<void> {
    const { dispatcher, abort } = this.#options;
    this.#isStopped = true;
    clearInterval(this.#tick);
    this.#intake.stop();
    this.#attempts.stop();
    const timer = setTimeout(abort, graceMs);
    await this.#returns.giveBack([...dispatcher.clear(), ...this.#returns.takeLater()]);
    if (dispatcher.running > 0 || !this.#settler.isEmpty) {
      await new Promise<void>((resolve) => this.#quiet.push(resolve));
    }
    clearTimeout(timer);
  }

  async #onTick(): Promise<void> {
    try {
      await this.#leases.follow();
      await this.#leases.renew();
      await this.#returns.giveBack(this.#returns.takeLater());
    } catch (error) {
      this.#options.log.error('the delivery tick failed', { error });
    }
    this.#intake.look();
  }

  #announceQuiet(): void {
    if (this.#options.dispatcher.running > 0 || this.#settler.isUnderWay) return;
    for (const resolve of this.#quiet.splice(0)) resolve();
  }
}
