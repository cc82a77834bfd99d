/** Most deliveries remembered at once. Bounds memory to about 1 MiB. */
const MAX_REMEMBERED = 10_000;

/**
 * Remembers deliveries whose last attempt met a stale connection, so that the next attempt gets its
 * own connection. Otherwise a receiver that closes kept connections too early would fail attempt
 * after attempt, until the delivery is dead.
 *
 * Each process has its own memory and its own connections, so a delivery can meet one stale
 * connection on each node. Other retries share connections: after an outage, thousands of them
 * would otherwise each cost a handshake and a local port.
 */
export class StaleRetries {
  readonly #deliveryIds = new Set<string>();

  add(deliveryId: string): void {
    this.#deliveryIds.add(deliveryId);
    if (this.#deliveryIds.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#deliveryIds;
    this.#deliveryIds.delete(oldest as string);
  }

  /** Whether the delivery was added. Forgets it. */
  take(deliveryId: string): boolean {
    return this.#deliveryIds.delete(deliveryId);
  }
}
