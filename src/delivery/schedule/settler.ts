import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Logger } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore, SettledAttempt, Settlement } from '../../store/contract/queue.ts';

/** The wait before the settler records the same attempts again, ms. */
const SETTLE_RETRY_MS = 1000;

export interface SettlerOptions {
  queue: Pick<QueueStore, 'settle'>;
  /**
   * Whether the claim's settlement may wait for a lock. Other settlements must not wait with it.
   */
  isApart(claim: ClaimedDelivery): boolean;
  /** The conditions that open a destination's breaker. */
  breaker: BreakerTerms;
  log: Logger;
  /** When it returns true, a failed settlement isn't tried again. */
  isStopped(): boolean;
  /** Called after each commit of attempts. `batch` includes attempts that weren't recorded. */
  onSettled(settled: readonly SettledAttempt[], batch: readonly Settlement[]): void;
  /** Called when attempts can be recorded again. */
  onUnblocked(): void;
  onIdle(): void;
}

class SettleLane {
  /**
   * Settlements that aren't recorded yet, the oldest first. Includes those of the commit under way.
   */
  readonly outcomes: Settlement[] = [];
  isSettling = false;
  isBlocked = false;

  get isEmpty(): boolean {
    return this.outcomes.length === 0 && !this.isSettling;
  }

  get isUnderWay(): boolean {
    return this.isSettling || (this.outcomes.length > 0 && !this.isBlocked);
  }
}

/**
 * Records attempts in groups. Attempts that end during a commit share the next commit. While
 * recording fails, the settler is blocked and no attempt starts. Such an attempt would have to be
 * repeated.
 *
 * The commit of an attempt that is apart (`isApart`) may wait for the lock of an order key. These
 * attempts have their own lane, so that other attempts don't wait.
 */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #shared = new SettleLane();
  readonly #apart = new SettleLane();

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /**
   * Whether the last commit of the shared lane failed. The lane of apart attempts doesn't count,
   * because its locks must not stop all attempts.
   */
  get isBlocked(): boolean {
    return this.#shared.isBlocked;
  }

  get isEmpty(): boolean {
    return this.#shared.isEmpty && this.#apart.isEmpty;
  }

  /**
   * Whether attempts are still being recorded. False if none is left, or if the settler gave up.
   */
  get isUnderWay(): boolean {
    return this.#shared.isUnderWay || this.#apart.isUnderWay;
  }

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
