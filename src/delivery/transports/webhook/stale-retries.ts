/** Deliveries remembered at once, which bounds memory: about 1 MiB. */
const MAX_REMEMBERED = 10_000;

/**
 * Deliveries whose last attempt met a stale connection: the next gets a
 * connection of its own. Without it, a receiver that closes kept connections as a
 * request is written fails attempt after attempt, until the delivery is dead.
 *
 * It is memory of this process. A restart or another node forgets it, and has
 * connections of its own: a delivery can meet one stale connection for each node.
 * Not every retry gets one: thousands that follow an outage would each cost a
 * handshake and a local port.
 */
export class StaleRetries {
  readonly #deliveryIds = new Set<string>();

  add(deliveryId: string): void {
    this.#deliveryIds.add(deliveryId);
    if (this.#deliveryIds.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#deliveryIds;
    this.#deliveryIds.delete(oldest as string);
  }

  /** Whether the delivery was added; it is forgotten. */
  take(deliveryId: string): boolean {
    return this.#deliveryIds.delete(deliveryId);
  }
}
