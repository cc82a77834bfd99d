import type { StreamItem } from './stream-item.ts';
import type { StreamedAnswer } from './streamed-get.ts';

/**
 * Counts the missed items of a new connection. They end where the server says that it has
 * caught up, or with the first event received after the connection began (by the server's
 * clock, to the second).
 */
export class CatchUp {
  readonly #outageMs: number;
  /** Time of the connection by the server's clock, ms. */
  readonly #madeAt: number;
  #events = 0;
  #attempts = 0;

  constructor(outageMs: number, { headers }: Pick<StreamedAnswer, 'headers'>) {
    this.#outageMs = Math.round(outageMs);
    const date = Date.parse(String(headers.date));
    // The header has whole seconds: the second may not have ended.
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
