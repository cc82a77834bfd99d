import type { Logger } from '../../core/runtime/runtime.ts';
import type { ClaimedDelivery } from '../../store/contract/claims.ts';
import type { QueueStore } from '../../store/contract/queue.ts';

export interface ClaimReturnsOptions {
  queue: Pick<QueueStore, 'release'>;
  log: Logger;
  /** When it returns true, claims are given back at once, because no tick follows. */
  isStopped(): boolean;
}

/** Gives unused claims back. Their deliveries stay due. */
export class ClaimReturns {
  readonly #options: ClaimReturnsOptions;
  #later: ClaimedDelivery[] = [];

  constructor(options: ClaimReturnsOptions) {
    this.#options = options;
  }

  /** Gives claims back. If the store fails, the claims end with their leases. */
  async giveBack(claims: readonly ClaimedDelivery[]): Promise<void> {
    if (claims.length === 0) return;
    const { queue, log } = this.#options;
    await queue.release(claims).catch((error) => {
      log.error('could not give claims back', { error, deliveries: claims.length });
    });
  }

  /**
   * Gives claims back at the next tick. Use it after a fault of hookrelay, because the same
   * delivery would otherwise fail again at once.
   */
  async giveBackLater(claims: readonly ClaimedDelivery[]): Promise<void> {
    if (this.#options.isStopped()) await this.giveBack(claims);
    else this.#later.push(...claims);
  }

  takeLater(): ClaimedDelivery[] {
    return this.#later.splice(0);
  }
}
