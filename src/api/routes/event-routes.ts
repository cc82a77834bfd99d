import * as v from 'valibot';
import type { OriginalRequest, RequestEdits } from '../../capture/edited-request.ts';
import type { OwnUrls } from '../../capture/signed-urls.ts';
import { HookrelayError } from '../../core/errors.ts';
import { MAX_EDIT_BYTES } from '../../core/limits.ts';
import type { Endpoint, EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { EventContent, EventStore } from '../../store/contract/events.ts';
import type { SignedHeaders } from '../answers/event.ts';
import { changesBetween } from '../audit-note.ts';
import { sendRawBody } from '../raw-body.ts';
import { type Route, route } from '../route.ts';
import { attemptSchema } from '../schemas/delivery-schema.ts';
import { editedBody, editSchema } from '../schemas/edit-schema.ts';
import { bodyChoiceSchema, eventDetailSchema, eventSchema } from '../schemas/event-schema.ts';
import {
  signedHeaders,
  signedHeadersInputSchema,
  signedHeadersSchema,
} from '../source/signed-headers.ts';
import type { RequestViews } from '../viewing/request-views.ts';
import { attemptView } from '../views.ts';

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
  const tag = 'events';

  async function contentOf(event: EventSummary): Promise<EventContent> {
    const content = await events.content(event.seq);
    if (!content) throw noEvent();
    return content;
  }

  interface Shown {
    event: EventSummary;
    endpoint: Endpoint;
    query?: v.InferOutput<typeof bodyChoiceSchema>;
    signal: AbortSignal;
  }
  const detail = ({ event, endpoint, query, signal }: Shown) => {
    const isHead = query?.body === 'false';
    const viewed = { account: endpoint.userId, size: event.size, isHead, signal };
    return options.views.show(viewed, async () => {
      const content = await contentOf(event);
      const deliveries = await events.deliveries(event.seq, clock.now());
      return { kind: 'event', event, content, deliveries, source: endpoint.source };
    });
  };

  return [
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/events/{eventId}',
      summary: 'Get an event with its headers, body and deliveries',
      tag,
      access: 'event',
      scope: 'read',
      query: bodyChoiceSchema,
      status: 200,
      response: eventDetailSchema,
      handle: detail,
    }),
    route({
      method: 'GET',
      path: '/api/events/{eventId}',
      summary: 'Get an event of any endpoint of the account by its id',
      tag,
      access: 'event',
      scope: 'read',
      query: bodyChoiceSchema,
      status: 200,
      response: eventDetailSchema,
      handle: detail,
    }),
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/events/{eventId}/raw',
      summary: 'Download an event’s body, byte for byte',
      tag,
      access: 'event',
      scope: 'read',
      status: 200,
      mediaType: 'application/octet-stream',
      async handle({ event, res }) {
        const { body } = await contentOf(event);
        return sendRawBody(res, event.id, body);
      },
    }),
    route({
      method: 'POST',
      path: '/api/endpoints/{id}/events/{eventId}/edit',
      summary: 'Capture an edited copy of an event: a new event, delivered like any other',
      tag,
      access: 'event',
      scope: 'write',
      audit: 'event.edit',
      body: editSchema,
      maxBodyBytes: MAX_EDIT_BYTES,
      status: 201,
      response: eventSchema,
      async handle({ endpoint, event, body, signal, record }) {
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
        return detail({ event: copy, endpoint, signal });
      },
    }),
    route({
      method: 'POST',
      path: '/api/events/{eventId}/signed-headers',
      summary:
        'Sign a verified event as its provider does, with the endpoint’s secrets and the time of now',
      tag,
      access: 'event',
      scope: 'write',
      audit: { unaudited: 'it changes nothing, and listen asks for it for each event' },
      body: signedHeadersInputSchema,
      status: 200,
      response: signedHeadersSchema,
      async handle({ endpoint, event, body }): Promise<SignedHeaders> {
        const content = await contentOf(event);
        const { path } = event;
        return signedHeaders(endpoint, event, content, {
          ...options,
          url: body.url ?? null,
          deliveryUrls: await options.deliveryUrls(endpoint, { path, query: content.query }),
          now: clock.now(),
        });
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/endpoints/{id}/events/{eventId}',
      summary: 'Delete an event for good; its open deliveries are cancelled',
      tag,
      access: 'event',
      scope: 'write',
      audit: 'event.delete',
      status: 204,
      async handle({ endpoint, event, record }) {
        const removed = await events.remove(endpoint.key, event.id);
        if (!removed) throw noEvent();
        options.onRemoved(removed.freed);
        record({ target: { type: 'event', id: event.id, name: event.eventType } });
      },
    }),
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/events/{eventId}/deliveries',
      summary: 'List every delivery attempt of an event, oldest first',
      tag,
      access: 'event',
      scope: 'read',
      status: 200,
      response: v.array(attemptSchema),
      handle: async ({ event }) => (await events.attempts(event.seq)).map(attemptView),
    }),
  ];
}

function noEvent(): HookrelayError {
  return new HookrelayError('event_not_found', 'there is no such event');
}

function isPaused({ id }: Pick<Endpoint, 'id'>): HookrelayError {
  return new HookrelayError('endpoint_paused', 'the endpoint is paused; it captures nothing', {
    hint: `hookrelay endpoints resume ${id}`,
  });
}

function bodyOf(body: v.InferOutput<typeof editSchema>): Buffer | undefined {
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
