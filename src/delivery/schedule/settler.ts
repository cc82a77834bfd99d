import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Logger } from '../../core/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore, SettledAttempt, Settlement } from '../../store/contract/queue.ts';

/** Wait before a failed settlement is tried again, ms. */
const SETTLE_RETRY_MS = 1000;

export interface SettlerOptions {
  queue: Pick<QueueStore, 'settle'>;
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

/**
 * Records attempts in groups: attempts that end while a commit runs share the next
 * one. While the settler can't record, it is blocked, and no attempt starts: it
 * would only be made again and again.
 */
export class Settler {
  readonly #options: SettlerOptions;
  /**
   * Settlements that aren't on record yet, including those of the commit under way,
   * oldest first.
   */
  readonly #outcomes: Settlement[] = [];
  #settling = false;
  #blocked = false;

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /** The last settle failed. */
  get isBlocked(): boolean {
    return this.#blocked;
  }

  get isEmpty(): boolean {
    return this.#outcomes.length === 0 && !this.#settling;
  }

  /** False when nothing is left to record, or when recording was given up. */
  get isUnderWay(): boolean {
    return this.#settling || (this.#outcomes.length > 0 && !this.#blocked);
  }

  /** Claims of the attempts that aren't on record yet. */
  claims(): ClaimedDelivery[] {
    return this.#outcomes.map(({ claim }) => claim);
  }

  add(outcome: Settlement): void {
    this.#outcomes.push(outcome);
    if (this.#settling) return;
    this.#settling = true;
    setImmediate(() => void this.#settle());
  }

  async #settle(): Promise<void> {
    const { queue, breaker, log, isStopped, onSettled, onUnblocked, onIdle } = this.#options;
    while (this.#outcomes.length > 0) {
      const batch = this.#outcomes.slice();
      try {
        const settled = await queue.settle(batch, breaker);
        if (this.#blocked) {
          this.#blocked = false;
          onUnblocked();
        }
        onSettled(
          settled.filter((attempt) => attempt !== null),
          batch,
        );
        this.#outcomes.splice(0, batch.length);
      } catch (error) {
        if (!this.#blocked) log.error('cannot record attempts; deliveries wait', { error });
        this.#blocked = true;
        if (isStopped()) break;
        await new Promise((resolve) => setTimeout(resolve, SETTLE_RETRY_MS));
      }
    }
    this.#settling = false;
    onIdle();
  }
}
