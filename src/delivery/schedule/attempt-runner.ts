import type { Clock, Logger } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { Outgoing, QueueStore, Settlement } from '../../store/contract/queue.ts';
import type { ClaimReturns } from './claim-returns.ts';
import type { Dispatcher } from './dispatcher.ts';
import { LEASE_MS } from './lease-keeper.ts';
import { RestingSlots } from './resting-slots.ts';
import type { Settler } from './settler.ts';
import { type Begun, StartGate } from './start-gate.ts';
import type { Throttle } from './throttle.ts';

/** The wait before asking the throttle again, ms. A commit in the meantime asks it at once. */
const THROTTLED_AGAIN_MS = 20;

export interface AttemptRunnerOptions {
  queue: Pick<QueueStore, 'begin'>;
  dispatcher: Dispatcher;
  throttle: Throttle;
  settler: Settler;
  returns: ClaimReturns;
  clock: Clock;
  log: Logger;
  /** The server's deadline of an attempt, ms. */
  attemptTimeoutMs: number;
  /** Makes one attempt. Resolves with null if the server's shutdown ended it. */
  attempt(claim: ClaimedDelivery, outgoing: Outgoing): Promise<Settlement | null>;
  isStopped(): boolean;
  /** Called after each fill with the claims that took slots. */
  onFilled(claims: readonly ClaimedDelivery[]): void;
  /** Called when an attempt to a destination with one slot has ended. */
  onOneSlot(destinationKey: number): void;
  /** Called with the destinations of claims that were too late or couldn't begin. */
  onUnused(destinationKeys: readonly number[]): void;
  /** Called when slots may have become free. */
  onFree(): void;
}

/** Fills the dispatcher's slots with attempts. Frees each slot when its attempt has ended. */
export class AttemptRunner {
  readonly #options: AttemptRunnerOptions;
  readonly #underWay = new Set<ClaimedDelivery>();
  readonly #resting = new RestingSlots();
  readonly #gate: StartGate;
  #isFillScheduled = false;
  #throttled: NodeJS.Timeout | undefined;

  constructor(options: AttemptRunnerOptions) {
    this.#options = options;
    const { dispatcher, clock } = options;
    this.#gate = new StartGate({
      dispatcher,
      clock,
      onStart: (begun) => void this.#attempt(begun),
      onStale: (claim) => void this.#begin([claim]),
      onLate: (claim) => {
        this.#free(claim);
        void this.#giveBackUnused([claim]);
      },
    });
  }

  /** Returns the claims whose attempts are under way or wait for their start. */
  claims(): ClaimedDelivery[] {
    return [...this.#underWay, ...this.#gate.claims()];
  }

  /**
   * Makes claims begin again if their attempts haven't started, because their destinations may have
   * changed. Null means all destinations.
   */
  expire(destinationKeys: ReadonlySet<number> | null): void {
    this.#gate.expire(destinationKeys);
  }

  /** Starts as many attempts as the slots and the throttle allow. */
  fill(): void {
    const { dispatcher, throttle, settler, isStopped, onFilled } = this.#options;
    if (isStopped() || settler.isBlocked) return;
    const batch: ClaimedDelivery[] = [];
    const late: ClaimedDelivery[] = [];
    const now = this.#options.clock.now();
    while (throttle.allows()) {
      const claim = dispatcher.next();
      if (!claim) break;
      if (claim.start && now > claim.start.by) {
        dispatcher.done(claim);
        late.push(claim);
        continue;
      }
      throttle.onStart();
      batch.push(claim);
    }
    if (!throttle.allows()) this.#fillLater();
    onFilled(batch);
    if (batch.length > 0) void this.#begin(batch);
    if (late.length > 0) void this.#giveBackUnused(late);
  }

  /**
   * Stops starting attempts and frees the resting slots. Returns the claims that wait for their
   * start.
   */
  stop(): ClaimedDelivery[] {
    clearTimeout(this.#throttled);
    this.#resting.freeAll();
    const claims = this.#gate.clear();
    for (const claim of claims) this.#options.dispatcher.done(claim);
    return claims;
  }

  #fillLater(): void {
    this.#throttled ??= setTimeout(() => {
      this.#throttled = undefined;
      this.fill();
    }, THROTTLED_AGAIN_MS).unref();
  }

  /** Fills once for all slots that become free in one turn of the event loop. */
  #fillSoon(): void {
    if (this.#isFillScheduled) return;
    this.#isFillScheduled = true;
    setImmediate(() => {
      this.#isFillScheduled = false;
      this.fill();
    });
  }

  async #begin(batch: ClaimedDelivery[]): Promise<void> {
    const { queue, dispatcher, returns, clock, attemptTimeoutMs, log, onFree } = this.#options;
    try {
      const asked = clock.monotonic();
      const now = clock.now();
      const leaseUntil = now + attemptTimeoutMs + LEASE_MS;
      const outgoing = await queue.begin(batch, leaseUntil, now);
      dispatcher.beginning.add(clock.monotonic() - asked);
      // The process may have been suspended during `begin`. An attempt that outlasts its lease
      // could be made by another node too.
      const begunAt = clock.now();
      const late: ClaimedDelivery[] = [];
      const unused: ClaimedDelivery[] = [];
      const refused: ClaimedDelivery[] = [];
      for (const [i, claim] of batch.entries()) {
        const request = outgoing[i];
        const isLate = request && begunAt + this.#timeoutOf(request) > leaseUntil;
        if (request && !isLate && !this.#options.isStopped()) {
          this.#gate.enter({ claim, outgoing: request });
          continue;
        }
        dispatcher.done(claim);
        this.#gate.leave(claim.destination.key);
        if (!request) refused.push(claim);
        else if (isLate) late.push(claim);
        else unused.push(claim);
      }
      await this.#giveBackUnused(unused, refused);
      if (late.length > 0) await returns.giveBackLater(late);
    } catch (error) {
      if (batch.length > 1) {
        // One unreadable row must not hold back the others.
        await Promise.all(batch.map((claim) => this.#begin([claim])));
        return;
      }
      for (const claim of batch) dispatcher.done(claim);
      await returns.giveBackLater(batch);
      log.error('could not read the requests to deliver', { error, deliveries: batch.length });
    }
    this.fill();
    onFree();
  }

  /** Gives unused claims back, and asks for other claims of all these destinations. */
  async #giveBackUnused(
    unused: readonly ClaimedDelivery[],
    refused: readonly ClaimedDelivery[] = [],
  ): Promise<void> {
    if (unused.length > 0) await this.#options.returns.giveBack(unused);
    this.#options.onUnused([...unused, ...refused].map(({ destination }) => destination.key));
  }

  async #attempt({ claim, outgoing }: Begun): Promise<void> {
    const { attempt, dispatcher, settler, returns, log } = this.#options;
    const { key } = claim.destination;
    let made: Settlement | null = null;
    this.#underWay.add(claim);
    try {
      made = await attempt(claim, outgoing);
    } catch (error) {
      log.error('a delivery attempt failed unexpectedly', { delivery: claim.id, error });
    }
    this.#underWay.delete(claim);
    if (made) dispatcher.learn(key, made);
    if (dispatcher.hasOneSlot(key)) this.#options.onOneSlot(key);
    if (made) settler.add(made);
    else await returns.giveBackLater([claim]);
    const restMs = made?.timedOut ? this.#timeoutOf(outgoing) - made.attempt.durationMs : 0;
    if (restMs > 0 && !this.#options.isStopped()) {
      this.#resting.add(restMs, () => this.#free(claim));
    } else {
      this.#free(claim);
    }
  }

  #timeoutOf({ destination }: Outgoing): number {
    return destination.settings.timeout ?? this.#options.attemptTimeoutMs;
  }

  #free(claim: ClaimedDelivery): void {
    this.#options.dispatcher.done(claim);
    this.#gate.leave(claim.destination.key);
    this.#fillSoon();
    this.#options.onFree();
  }
}
