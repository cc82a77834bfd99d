/** Most deliveries remembered at once. Bounds memory to about 1 MiB. */
const MAX_REMEMBERED = 10_000;

/**
 * Remembers deliveries whose last attempt met a stale connection: the next attempt
 * gets a connection of its own. Otherwise a receiver that closes kept connections
 * while a request is written would fail attempt after attempt, until the delivery
 * is dead.
 *
 * The memory belongs to this process. A restart or another node doesn't have it,
 * but has connections of its own: a delivery can meet one stale connection on each
 * node. Other retries share connections: thousands that follow an outage would each
 * cost a handshake and a local port.
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
