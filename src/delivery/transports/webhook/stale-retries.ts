/** How many deliveries are remembered at once. This bounds memory to about 1 MiB. */
const MAX_REMEMBERED = 10_000;

/**
 * Remembers the deliveries whose last attempt met a stale connection, so that their next attempt
 * gets its own connection. Otherwise, if a receiver closes kept connections too early, one attempt
 * after another would fail until the delivery is dead.
 *
 * Each process has its own connections and its own memory of these deliveries. So a delivery can
 * meet one stale connection on each node. All other retries share connections. Otherwise, after an
 * outage, each of thousands of retries would need a handshake and a local port.
 */
export class StaleRetries {
  readonly #deliveryIds = new Set<string>();

  add(deliveryId: string): void {
    this.#deliveryIds.add(deliveryId);
    if (this.#deliveryIds.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#deliveryIds;
    this.#deliveryIds.delete(oldest as string);
  }

  /** Returns whether the delivery was added, and forgets it. */
  take(deliveryId: string): boolean {
    return this.#deliveryIds.delete(deliveryId);
  }
}
