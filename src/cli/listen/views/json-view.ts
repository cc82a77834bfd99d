import { connectionNote, connectionRecord } from '../../streams/connection-item.ts';
import { type HealthChange, healthRecord } from '../../streams/health-watch.ts';
import type { StreamItem } from '../../streams/stream-item.ts';
import type { Output } from '../../terminal/output.ts';
import type { Forward, ForwardOutcome } from '../forward/forward.ts';
import type { ListenInfo, ListenView } from './listen-view.ts';

/** Prints JSON objects with a `type` on stdout, one per line. Prints notes on stderr. */
export class JsonView implements ListenView {
  readonly howToRetry = '--since sends them again later';
  readonly #out: Output;

  constructor(out: Output) {
    this.#out = out;
  }

  ready({ server, endpoints, target, rules }: ListenInfo): void {
    this.#out.ndjson({
      type: 'ready',
      url: server,
      endpoints: endpoints.map(({ id, name, capture_url }) => ({ id, name, capture_url })),
      target,
      routes: rules.map(({ text, target }) => ({ rule: text, target })),
    });
  }

  added({ event }: Forward): void {
    this.#out.ndjson({ type: 'event', ...event });
  }

  sent(): void {}

  done(forward: Forward, outcome: ForwardOutcome): void {
    this.#out.ndjson(forwardRecord(forward, outcome));
  }

  connection(item: StreamItem): void {
    const note = connectionNote(item);
    if (note !== null) this.#out.note(note);
    const record = connectionRecord(item);
    if (record !== null) this.#out.ndjson(record);
  }

  health(change: HealthChange): void {
    this.#out.ndjson(healthRecord(change));
  }

  note(text: string): void {
    this.#out.note(text);
  }

  close(): void {}
}

export function forwardRecord({ event, trigger }: Forward, outcome: ForwardOutcome): object {
  return {
    type: 'forwarded',
    event_id: event.id,
    method: event.method,
    path: event.path,
    target: outcome.target,
    trigger,
    response_code: outcome.responseCode,
    duration_ms: outcome.durationMs,
    error: outcome.error,
  };
}
