import type { StreamItem } from './stream-item.ts';
import type { StreamedAnswer } from './streamed-get.ts';

/**
 * Counts the items that a stream missed while its connection was lost. A new connection sends these
 * first. The count ends when the server says that the stream has caught up, or at the first event
 * that the server received after the connection began. The server's clock decides that, to the
 * second.
 */
export class CatchUp {
  readonly #outageMs: number;
  /** When the connection began by the server's clock, ms. */
  readonly #madeAt: number;
  #events = 0;
  #attempts = 0;

  constructor(outageMs: number, { headers }: Pick<StreamedAnswer, 'headers'>) {
    this.#outageMs = Math.round(outageMs);
    const date = Date.parse(String(headers.date));
    // The header has whole seconds, and this second may not have ended yet.
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
