/** The largest number of remembered deliveries. It bounds memory to about 1 MiB. */
const MAX_REMEMBERED = 10_000;

/**
 * Remembers the deliveries whose last attempt met a stale connection. Their next attempt gets its
 * own connection. Otherwise a receiver that closes kept connections too early could fail every
 * attempt.
 *
 * Each process remembers its own attempts, so a delivery can meet one stale connection on each
 * node. All other retries share connections, because thousands of retries after an outage would
 * otherwise need a handshake and a local port each.
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
