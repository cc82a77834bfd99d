import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint, EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { EventContent, EventStore } from '../../store/contract/events.ts';
import { existing } from '../not-found.ts';
import type { JsonText } from '../route.ts';
import type { ShownEvent, StoredEventDetail } from './detail-view.ts';
import type { RequestViews } from './request-views.ts';

export interface EventDetailsOptions {
  events: EventStore;
  views: Pick<RequestViews, 'show'>;
  clock: Clock;
}

export interface EventContext {
  event: EventSummary;
  endpoint: Endpoint;
  signal: AbortSignal;
}

export class EventDetails {
  readonly #options: EventDetailsOptions;

  constructor(options: EventDetailsOptions) {
    this.#options = options;
  }

  async contentOf({ seq }: EventSummary): Promise<EventContent> {
    return existing(await this.#options.events.content(seq), 'event');
  }

  show(shown: EventContext): Promise<JsonText> {
    return this.#options.views.show(viewedOf(shown), () => this.#load(shown));
  }

  /** Like `show`, without the body. */
  head(shown: EventContext): Promise<JsonText | ShownEvent> {
    return this.#options.views.show({ ...viewedOf(shown), isHead: true }, () => this.#load(shown));
  }

  /**
   * Returns the event that a call captures. Throws `endpoint_paused` while the endpoint is paused.
   *
   * @param captured the event's id
   */
  async captured(endpoint: Endpoint, captured: Promise<string>): Promise<EventSummary> {
    const id = await captured.catch((error) => {
      const isPaused = error instanceof HookrelayError && error.code === 'endpoint_inactive';
      throw isPaused ? endpointPaused(endpoint) : error;
    });
    return existing(await this.#options.events.find(endpoint.key, id), 'event');
  }

  async #load({ event, endpoint }: EventContext): Promise<StoredEventDetail> {
    const { events, clock } = this.#options;
    const content = await this.contentOf(event);
    const deliveries = await events.deliveries(event.seq, clock.now());
    return { kind: 'event', event, content, deliveries, source: endpoint.source };
  }
}

function viewedOf({ event, endpoint, signal }: EventContext) {
  return { account: endpoint.userId, size: event.size, signal };
}

export function endpointPaused({ id }: Pick<Endpoint, 'id'>): HookrelayError {
  return new HookrelayError('endpoint_paused', 'the endpoint is paused; it captures nothing', {
    hint: `hookrelay endpoints resume ${id}`,
  });
}
