import type { Logger } from '../../core/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore, SettledAttempt, Settlement } from '../../store/contract/queue.ts';

/** Attempts that can't be recorded are kept and tried again after this. */
const SETTLE_RETRY_MS = 1000;

export interface SettlerOptions {
  queue: Pick<QueueStore, 'settle'>;
  log: Logger;
  /** Then what can't be recorded isn't tried again. */
  isStopped(): boolean;
  /** After each commit of attempts: `batch` are those that were to be recorded. */
  onSettled(settled: readonly SettledAttempt[], batch: readonly Settlement[]): void;
  /** Attempts can be recorded again. */
  onUnblocked(): void;
  /** Nothing is being recorded any more. */
  onIdle(): void;
}

/**
 * Records attempts, in groups: those that end while a commit runs share the
 * next. While none can be recorded it is blocked: more attempts would only be
 * made again and again.
 */
export class Settler {
  readonly #options: SettlerOptions;
  /** What isn't recorded yet, also while it is being recorded. Oldest first. */
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

  /** Whether waiting will get something recorded. */
  get isUnderWay(): boolean {
    return this.#settling || (this.#outcomes.length > 0 && !this.#blocked);
  }

  /** Of the attempts that aren't recorded yet. */
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
    const { queue, log, isStopped, onSettled, onUnblocked, onIdle } = this.#options;
    while (this.#outcomes.length > 0) {
      const batch = this.#outcomes.slice();
      try {
        const settled = await queue.settle(batch);
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
