import type { StreamItem } from './stream-item.ts';
import type { StreamedAnswer } from './streamed-get.ts';

/**
 * Counts the items that a stream missed during an outage. A new connection sends these items first.
 * The count ends if the stream has caught up, or at the first event that is newer than the
 * connection. The server's clock decides, to the second.
 */
export class CatchUp {
  readonly #outageMs: number;
  /** The start of the connection by the server's clock, ms. */
  readonly #madeAt: number;
  #events = 0;
  #attempts = 0;

  constructor(outageMs: number, { headers }: Pick<StreamedAnswer, 'headers'>) {
    this.#outageMs = Math.round(outageMs);
    const date = Date.parse(String(headers.date));
    // The header has whole seconds, and this second may still be running.
    this.#madeAt = Number.isNaN(date) ? Date.now() : date + 1000;
  }

  isOver(item: StreamItem | null): boolean {
    return item?.kind === 'event' && Date.parse(item.event.received_at) > this.#madeAt;
  }

  count(item: StreamItem): void {
    if (item.kind === 'event') this.#events++;
    if (item.kind === 'attempt') this.#attempts++;
  }

  report(): StreamItem {
    return {
      kind: 'reconnected',
      missedEvents: this.#events,
      missedAttempts: this.#attempts,
      outageMs: this.#outageMs,
    };
  }
}
