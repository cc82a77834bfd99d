import type { Logger } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { ClusterStore } from '../../store/contract/cluster.ts';
import type { Dispatcher } from './dispatcher.ts';

/**
 * Idle slots are given back after this time, or after twice this time at the latest, ms. A shorter
 * time would write the destination's row too often.
 */
const IDLE_MS = 500;

export interface SlotKeeperOptions {
  /** Null if this process is the only node and has all slots. */
  slots: Pick<ClusterStore, 'giveSlotsBack'> | null;
  dispatcher: Pick<Dispatcher, 'startedTo' | 'has'>;
  log: Logger;
}

/**
 * Gives slots of a fixed concurrency back when this node has nothing to send to the destination.
 */
export class SlotKeeper {
  readonly #options: SlotKeeperOptions;
  /** Whether each destination with slots here was idle at the last check, by key. */
  readonly #isIdle = new Map<number, boolean>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SlotKeeperOptions) {
    this.#options = options;
  }

  /** Records the destinations of claims that brought slots. */
  note(claims: readonly ClaimedDelivery[]): void {
    for (const { destination } of claims) {
      if (destination.slots !== null) this.#isIdle.set(destination.key, false);
    }
    if (this.#isIdle.size > 0) this.#timer ??= setInterval(() => this.#check(), IDLE_MS).unref();
  }

  /** Gives all slots back, except those of attempts under way. */
  async giveBack(): Promise<void> {
    await this.#give([...this.#isIdle.keys()]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { dispatcher } = this.#options;
    const idle: number[] = [];
    for (const [key, wasIdle] of this.#isIdle) {
      const isIdle = !dispatcher.has(key);
      this.#isIdle.set(key, isIdle);
      if (isIdle && wasIdle) idle.push(key);
    }
    void this.#give(idle);
  }

  async #give(keys: readonly number[]): Promise<void> {
    const { slots, dispatcher, log } = this.#options;
    if (!slots || keys.length === 0) return;
    const kept = new Map(keys.map((key) => [key, dispatcher.startedTo(key)]));
    for (const [key, count] of kept) if (count === 0) this.#isIdle.delete(key);
    if (this.#isIdle.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await slots.giveSlotsBack(kept).catch((error) => {
      // The slots become free when their leases end.
      log.error('could not give slots back', { error });
    });
  }
}
