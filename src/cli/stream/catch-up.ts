import type { StreamItem } from './stream-item.ts';
import type { StreamedAnswer } from './streamed-get.ts';

/**
 * Counts what a new connection brings of the time before it. The server doesn't
 * say where the past ends, so it ends with the first event that was received
 * after the connection was made (by the server's own clock, to the second), or
 * with the first pause.
 */
export class CatchUp {
  readonly #outageMs: number;
  /** By the server's clock. */
  readonly #madeAt: number;
  #events = 0;
  #attempts = 0;

  constructor(outageMs: number, { headers }: Pick<StreamedAnswer, 'headers'>) {
    this.#outageMs = Math.round(outageMs);
    const date = Date.parse(String(headers.date));
    // The header's second has not ended yet.
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
