import type { Logger } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore } from '../../store/contract/queue.ts';

export interface ClaimReturnsOptions {
  queue: Pick<QueueStore, 'release'>;
  log: Logger;
  /** When it returns true, no tick follows, so claims are given back at once. */
  isStopped(): boolean;
}

/** Gives back claims that weren't used. Their deliveries stay due as before. */
export class ClaimReturns {
  readonly #options: ClaimReturnsOptions;
  #later: ClaimedDelivery[] = [];

  constructor(options: ClaimReturnsOptions) {
    this.#options = options;
  }

  /** Gives claims back now. If that fails, each claim ends with its lease. */
  async giveBack(claims: readonly ClaimedDelivery[]): Promise<void> {
    if (claims.length === 0) return;
    const { queue, log } = this.#options;
    await queue.release(claims).catch((error) => {
      log.error('could not give claims back', { error, deliveries: claims.length });
    });
  }

  /**
   * Gives claims back at the next tick. Use it after a fault of hookrelay. If the claims were given
   * back at once, the same delivery would fail again and again.
   */
  async giveBackLater(claims: readonly ClaimedDelivery[]): Promise<void> {
    if (this.#options.isStopped()) await this.giveBack(claims);
    else this.#later.push(...claims);
  }

  /** Removes and returns the claims that wait to be given back. */
  takeLater(): ClaimedDelivery[] {
    return this.#later.splice(0);
  }
}
