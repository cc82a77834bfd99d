import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Logger } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore, SettledAttempt, Settlement } from '../../store/contract/queue.ts';

/** Wait before a failed settlement is tried again, ms. */
const SETTLE_RETRY_MS = 1000;

export interface SettlerOptions {
  queue: Pick<QueueStore, 'settle'>;
  /** Whether the commit of the claim's attempt may wait for others, which those without it must not. */
  isApart(claim: ClaimedDelivery): boolean;
  /** When the breaker of a destination opens. */
  breaker: BreakerTerms;
  log: Logger;
  /** Once true, a failed settlement isn't tried again. */
  isStopped(): boolean;
  /** Called after each commit of attempts. `batch` is all that was to be recorded. */
  onSettled(settled: readonly SettledAttempt[], batch: readonly Settlement[]): void;
  /** Called when attempts can be recorded again. */
  onUnblocked(): void;
  /** Called when nothing is being recorded any more. */
  onIdle(): void;
}

/** Attempts that share commits. */
class SettleLane {
  /**
   * Settlements that aren't on record yet, including those of the commit under way,
   * oldest first.
   */
  readonly outcomes: Settlement[] = [];
  isSettling = false;
  /** The last settle failed. */
  isBlocked = false;

  get isEmpty(): boolean {
    return this.outcomes.length === 0 && !this.isSettling;
  }

  get isUnderWay(): boolean {
    return this.isSettling || (this.outcomes.length > 0 && !this.isBlocked);
  }
}

/**
 * Records attempts in groups: attempts that end while a commit runs share the next
 * one. While the settler can't record, it is blocked, and no attempt starts: it
 * would only be made again and again.
 *
 * Attempts that are apart have a lane of their own: a commit that waits for the lock of an
 * order key holds up no attempt without one.
 */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #shared = new SettleLane();
  readonly #apart = new SettleLane();

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /**
   * The last settle failed. One that is apart doesn't count: what it waits for must not stop
   * all attempts, and no later delivery of its keys goes before it is recorded.
   */
  get isBlocked(): boolean {
    return this.#shared.isBlocked;
  }

  get isEmpty(): boolean {
    return this.#shared.isEmpty && this.#apart.isEmpty;
  }

  /** False when nothing is left to record, or when recording was given up. */
  get isUnderWay(): boolean {
    return this.#shared.isUnderWay || this.#apart.isUnderWay;
  }

  /** Claims of the attempts that aren't on record yet. */
  claims(): ClaimedDelivery[] {
    return [this.#shared, this.#apart].flatMap((lane) => lane.outcomes.map(({ claim }) => claim));
  }

  add(outcome: Settlement): void {
    const lane = this.#options.isApart(outcome.claim) ? this.#apart : this.#shared;
    lane.outcomes.push(outcome);
    if (lane.isSettling) return;
    lane.isSettling = true;
    setImmediate(() => void this.#settle(lane));
  }

  async #settle(lane: SettleLane): Promise<void> {
    const { queue, breaker, log, isStopped, onSettled, onUnblocked, onIdle } = this.#options;
    while (lane.outcomes.length > 0) {
      const batch = lane.outcomes.slice();
      try {
        const settled = await queue.settle(batch, breaker);
        if (lane.isBlocked) {
          lane.isBlocked = false;
          onUnblocked();
        }
        onSettled(
          settled.filter((attempt) => attempt !== null),
          batch,
        );
        lane.outcomes.splice(0, batch.length);
      } catch (error) {
        if (!lane.isBlocked) log.error('cannot record attempts; deliveries wait', { error });
        lane.isBlocked = true;
        if (isStopped()) break;
        await new Promise((resolve) => setTimeout(resolve, SETTLE_RETRY_MS));
      }
    }
    lane.isSettling = false;
    onIdle();
  }
}
