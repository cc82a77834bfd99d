import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Logger } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore, SettledAttempt, Settlement } from '../../store/contract/queue.ts';

/** Wait before a failed settlement is retried, ms. */
const SETTLE_RETRY_MS = 1000;

export interface SettlerOptions {
  queue: Pick<QueueStore, 'settle'>;
  /**
   * Whether recording the claim's attempt may wait for a lock. Other attempts must not wait with
   * it.
   */
  isApart(claim: ClaimedDelivery): boolean;
  /** When the breaker of a destination opens. */
  breaker: BreakerTerms;
  log: Logger;
  /** Once true, a failed settlement isn't retried. */
  isStopped(): boolean;
  /** Called after each commit of attempts. `batch` includes attempts that weren't recorded. */
  onSettled(settled: readonly SettledAttempt[], batch: readonly Settlement[]): void;
  /** Called when attempts can be recorded again. */
  onUnblocked(): void;
  /** Called when nothing more is being recorded. */
  onIdle(): void;
}

/** Attempts that share commits. */
class SettleLane {
  /** Unrecorded settlements, oldest first, including those of the commit under way. */
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
 * Records attempts in groups: attempts that end during a commit share the next one. While recording
 * fails, the settler is blocked and no attempt starts, because it would have to be repeated.
 *
 * Attempts that are apart have their own lane, so a commit that waits for the lock of an order key
 * doesn't delay other attempts.
 */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #shared = new SettleLane();
  readonly #apart = new SettleLane();

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /**
   * The last settle failed. The lane of attempts that are apart doesn't count: its locks must not
   * stop all attempts, and later deliveries of its keys wait anyway.
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

  /** Claims of unrecorded attempts. */
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
