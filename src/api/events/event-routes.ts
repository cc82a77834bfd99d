import type * as v from 'valibot';
import type { EditedCopy } from '../../capture/capture-copy.ts';
import type { OwnUrls } from '../../capture/judging/signed-urls.ts';
import type { Endpoint } from '../../core/model.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import { changesBetween } from '../audit-note.ts';
import { attemptView } from '../deliveries/delivery-view.ts';
import { invalidField } from '../invalid-input.ts';
import { existing } from '../not-found.ts';
import { sendRawBody } from '../raw-body.ts';
import { type Route, routesOf } from '../route.ts';
import { copyDestinations } from './copy-destinations.ts';
import type { SignedHeaders } from './event-answer.ts';
import { EVENT_CALLS } from './event-calls.ts';
import {
  type EventContext,
  EventDetails,
  type EventDetailsOptions,
  endpointPaused,
} from './event-details.ts';
import { editedBody, type eventEditSchema } from './event-edit-schema.ts';
import type { bodyChoiceSchema } from './event-schema.ts';
import { signatureWarnings } from './signature-warnings.ts';
import { signedHeaders } from './signed-headers.ts';

export interface EventRoutesOptions extends EventDetailsOptions {
  destinations: Pick<DestinationStore, 'list'>;
  keys: Keys;
  urls: OwnUrls;
  /** The URLs at which the endpoint's destinations get a request. */
  deliveryUrls(
    endpoint: Endpoint,
    request: { path: string; query: string },
  ): Promise<readonly string[]>;
  /** Captures an edited copy like any request. Returns the event's id. */
  capture(copy: EditedCopy): Promise<string>;
  /** Called after a deletion, with the destinations whose deliveries may go now. */
  onRemoved(freed: ReadonlySet<number>): void;
}

/** Routes of one event: its views, edited copies, and its deletion. */
export function eventRoutes(options: EventRoutesOptions): Route[] {
  const { events, clock } = options;

  const details = new EventDetails(options);
  type Choice = EventContext & { query: v.InferOutput<typeof bodyChoiceSchema> };
  const detail = (choice: Choice) =>
    choice.query.body === 'false' ? details.head(choice) : details.show(choice);

  return routesOf(EVENT_CALLS, {
    'GET /api/endpoints/{id}/events/{eventId}': detail,
    'GET /api/events/{eventId}': detail,

    async 'GET /api/endpoints/{id}/events/{eventId}/raw'({ event, res }) {
      const { body } = await details.contentOf(event);
      return sendRawBody(res, event.id, body);
    },
    async 'POST /api/endpoints/{id}/events/{eventId}/edit'(context) {
      const { endpoint, event, body, signal, record } = context;
      if (!endpoint.settings.is_active) throw endpointPaused(endpoint);
      const { method, path, query, headers, destination_ids: ids } = body;
      const edits = { method, path, query, headers, body: bodyOf(body) };
      const original = { endpoint, event, content: await details.contentOf(event) };
      const all = await options.destinations.list(endpoint.key);
      const { chosen, missed } = copyDestinations(ids, all, endpoint);
      const warnings = [...missed, ...signatureWarnings(original, edits)];
      const captured = options.capture({ original, edits, chosen });
      const copy = await details.captured(endpoint, captured);
      record({
        target: { type: 'event', id: copy.id, name: copy.eventType },
        changes: changesBetween(null, {
          edited_from: event.id,
          ...(ids && { destination_ids: ids }),
        }),
      });
      const shown = await details.show({ event: copy, endpoint, signal });
      return warnings.length === 0 ? shown : shown.with({ warnings });
    },
    async 'POST /api/events/{eventId}/signed-headers'(context): Promise<SignedHeaders> {
      const { endpoint, event, body } = context;
      const content = await details.contentOf(event);
      const { path } = event;
      return signedHeaders(endpoint, event, content, {
        ...options,
        url: body.url ?? null,
        deliveryUrls: await options.deliveryUrls(endpoint, { path, query: content.query }),
        now: clock.now(),
      });
    },
    async 'DELETE /api/endpoints/{id}/events/{eventId}'({ endpoint, event, record }) {
      const removed = existing(await events.remove(endpoint.key, event.id), 'event');
      options.onRemoved(removed.freed);
      record({ target: { type: 'event', id: event.id, name: event.eventType } });
    },
    'GET /api/endpoints/{id}/events/{eventId}/deliveries': async ({ event }) =>
      (await events.attempts(event.seq)).map(attemptView),
  });
}

function bodyOf(body: v.InferOutput<typeof eventEditSchema>): Buffer | undefined {
  try {
    return editedBody(body);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidField('body', 'is nested too deeply; send it as a text');
  }
}
