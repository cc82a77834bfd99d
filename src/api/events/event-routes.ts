import type * as v from 'valibot';
import type { OriginalRequest, RequestEdits } from '../../capture/edited-request.ts';
import type { OwnUrls } from '../../capture/judging/signed-urls.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint, EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { EventContent, EventStore } from '../../store/contract/events.ts';
import { changesBetween } from '../audit-note.ts';
import { attemptView } from '../deliveries/delivery-view.ts';
import { sendRawBody } from '../raw-body.ts';
import { type Route, routesOf } from '../route.ts';
import type { StoredEventDetail } from './detail-view.ts';
import type { SignedHeaders } from './event-answer.ts';
import { EVENT_CALLS } from './event-calls.ts';
import { editedBody, type eventEditSchema } from './event-edit-schema.ts';
import type { bodyChoiceSchema } from './event-schema.ts';
import type { RequestViews } from './request-views.ts';
import { signedHeaders } from './signed-headers.ts';

export interface EventRoutesOptions {
  events: EventStore;
  views: Pick<RequestViews, 'show'>;
  clock: Clock;
  keys: Keys;
  urls: OwnUrls;
  /** The URLs at which the endpoint's destinations get a request. */
  deliveryUrls(
    endpoint: Endpoint,
    request: { path: string; query: string },
  ): Promise<readonly string[]>;
  /** Captures an edited copy like any request. Returns the event's id. */
  capture(original: OriginalRequest, edits: RequestEdits): Promise<string>;
  /** Called after an event was deleted, with destinations where deliveries may go now. */
  onRemoved(freed: ReadonlySet<number>): void;
}

/** Routes of one event: its views, edited copies, and its deletion. */
export function eventRoutes(options: EventRoutesOptions): Route[] {
  const { events, clock } = options;

  async function contentOf(event: EventSummary): Promise<EventContent> {
    const content = await events.content(event.seq);
    if (!content) throw noEvent();
    return content;
  }

  interface Shown {
    event: EventSummary;
    endpoint: Endpoint;
    signal: AbortSignal;
  }
  const viewedOf = ({ event, endpoint, signal }: Shown) => ({
    account: endpoint.userId,
    size: event.size,
    signal,
  });
  const loader =
    ({ event, endpoint }: Shown) =>
    async (): Promise<StoredEventDetail> => {
      const content = await contentOf(event);
      const deliveries = await events.deliveries(event.seq, clock.now());
      return { kind: 'event', event, content, deliveries, source: endpoint.source };
    };
  const detail = (shown: Shown & { query: v.InferOutput<typeof bodyChoiceSchema> }) => {
    const isHead = shown.query.body === 'false';
    return options.views.show({ ...viewedOf(shown), isHead }, loader(shown));
  };

  return routesOf(EVENT_CALLS, {
    'GET /api/endpoints/{id}/events/{eventId}': detail,
    'GET /api/events/{eventId}': detail,
    async 'GET /api/endpoints/{id}/events/{eventId}/raw'({ event, res }) {
      const { body } = await contentOf(event);
      return sendRawBody(res, event.id, body);
    },
    async 'POST /api/endpoints/{id}/events/{eventId}/edit'({
      endpoint,
      event,
      body,
      signal,
      record,
    }) {
      if (!endpoint.settings.is_active) throw isPaused(endpoint);
      const { method, path, query, headers } = body;
      const edits = { method, path, query, headers, body: bodyOf(body) };
      const original = { endpoint, event, content: await contentOf(event) };
      const id = await options.capture(original, edits).catch((error) => {
        const wasPaused = error instanceof HookrelayError && error.code === 'endpoint_inactive';
        throw wasPaused ? isPaused(endpoint) : error;
      });
      const copy = await events.find(endpoint.key, id);
      if (!copy) throw noEvent();
      record({
        target: { type: 'event', id, name: copy.eventType },
        changes: changesBetween(null, { edited_from: event.id }),
      });
      const shown = { event: copy, endpoint, signal };
      return options.views.show(viewedOf(shown), loader(shown));
    },
    async 'POST /api/events/{eventId}/signed-headers'({
      endpoint,
      event,
      body,
    }): Promise<SignedHeaders> {
      const content = await contentOf(event);
      const { path } = event;
      return signedHeaders(endpoint, event, content, {
        ...options,
        url: body.url ?? null,
        deliveryUrls: await options.deliveryUrls(endpoint, { path, query: content.query }),
        now: clock.now(),
      });
    },
    async 'DELETE /api/endpoints/{id}/events/{eventId}'({ endpoint, event, record }) {
      const removed = await events.remove(endpoint.key, event.id);
      if (!removed) throw noEvent();
      options.onRemoved(removed.freed);
      record({ target: { type: 'event', id: event.id, name: event.eventType } });
    },
    'GET /api/endpoints/{id}/events/{eventId}/deliveries': async ({ event }) =>
      (await events.attempts(event.seq)).map(attemptView),
  });
}

function noEvent(): HookrelayError {
  return new HookrelayError('event_not_found', 'there is no such event');
}

function isPaused({ id }: Pick<Endpoint, 'id'>): HookrelayError {
  return new HookrelayError('endpoint_paused', 'the endpoint is paused; it captures nothing', {
    hint: `hookrelay endpoints resume ${id}`,
  });
}

function bodyOf(body: v.InferOutput<typeof eventEditSchema>): Buffer | undefined {
  try {
    return editedBody(body);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'is nested too deeply; send it as a text';
    throw new HookrelayError('invalid_input', `body: ${message}`, {
      issues: [{ path: 'body', message }],
    });
  }
}
