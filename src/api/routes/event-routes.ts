import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import type { ClaimTerms, NewDeliveries } from '../../store/contract/claims.ts';
import type { EventContent, EventStore } from '../../store/contract/events.ts';
import type { ReplayStore } from '../../store/contract/replays.ts';
import { changesBetween } from '../audit-note.ts';
import { sendRawBody } from '../raw-body.ts';
import { JsonText, type Route, route, WithStatus } from '../route.ts';
import { attemptSchema, deliverySchema } from '../schemas/delivery-schema.ts';
import { filterBodyEntries, presentFilters } from '../schemas/event-filter.ts';
import { eventSummarySchema } from '../schemas/event-schema.ts';
import type { Searches } from '../searches.ts';
import { attemptView, eventDetailText } from '../views.ts';

const replayManySchema = v.object({
  ...filterBodyEntries,
  dry_run: v.optional(v.boolean('must be true or false')),
});

const eventSchema = v.object({
  ...eventSummarySchema.entries,
  query: v.string(),
  headers: v.record(v.string(), v.string()),
  raw_headers: v.array(v.array(v.string())),
  body: v.unknown(),
  body_encoding: v.picklist(['json', 'text', 'base64', 'none']),
  deliveries: v.array(deliverySchema),
});

export interface EventRoutesOptions {
  events: EventStore;
  replays: ReplayStore;
  clock: Clock;
  searches: Searches;
  /** Most concurrent bulk replays of an account. */
  mostJobs: number;
  /** How many of a replay's deliveries the scheduler claims at once. */
  claimTerms(): ClaimTerms;
  onReplayed(deliveries: NewDeliveries): void;
  /** Called when a bulk replay is queued. */
  onJobStarted(): void;
}

export function eventRoutes(options: EventRoutesOptions): Route[] {
  const { events, replays, clock } = options;
  const tag = 'events';

  async function contentOf(event: EventSummary): Promise<EventContent> {
    const content = await events.content(event.seq);
    if (!content) throw new HookrelayError('event_not_found', 'there is no such event');
    return content;
  }

  const detail = async ({ event }: { event: EventSummary }) =>
    new JsonText(
      await eventDetailText(
        event,
        await contentOf(event),
        await events.deliveries(event.seq, clock.now()),
      ),
    );

  return [
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/events/{eventId}',
      summary: 'Get an event with its headers, body and deliveries',
      tag,
      access: 'event',
      scope: 'read',
      status: 200,
      response: eventSchema,
      handle: detail,
    }),
    route({
      method: 'GET',
      path: '/api/events/{eventId}',
      summary: 'Get an event of any endpoint of the account by its id',
      tag,
      access: 'event',
      scope: 'read',
      status: 200,
      response: eventSchema,
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
      path: '/api/endpoints/{id}/events/{eventId}/replay',
      summary:
        'Deliver an event again, to the current destinations whose filter didn’t drop it at capture',
      tag,
      access: 'event',
      scope: 'write',
      audit: 'event.replay',
      status: 202,
      response: v.object({ queued: v.boolean(), event_id: v.string(), deliveries: v.number() }),
      async handle({ endpoint, event, record }) {
        const replayed = await replays.replay(
          endpoint.key,
          event.seq,
          clock.now(),
          options.claimTerms(),
        );
        if (!replayed) throw new HookrelayError('event_not_found', 'there is no such event');
        options.onReplayed(replayed);
        record({ target: { type: 'event', id: event.id, name: event.eventType } });
        return { queued: true, event_id: event.id, deliveries: replayed.deliveries };
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
    route({
      method: 'POST',
      path: '/api/endpoints/{id}/replay',
      summary: 'Start a bulk replay of all matching events, or only count them (dry_run)',
      tag,
      access: 'endpoint',
      scope: 'write',
      onlyReads: (body) => body.dry_run === true,
      audit: 'endpoint.replay',
      body: replayManySchema,
      status: 202,
      response: v.object({ queued: v.number() }),
      also: {
        status: 200,
        description: 'Success, with dry_run',
        response: v.object({ matching: v.number() }),
      },
      async handle({ principal, endpoint, body: { dry_run, ...filters }, signal, record }) {
        const filter = presentFilters(filters);
        const search = <T>(run: (until: AbortSignal) => Promise<T>) =>
          options.searches.run(principal.user.id, filter, signal, run);
        if (dry_run) {
          const matching = await search((until) => replays.count(endpoint.key, filter, until));
          return new WithStatus(200, { matching });
        }
        const queued = await search((until) => {
          const now = clock.now();
          const job = { id: newId('job', now), endpointKey: endpoint.key, filter, now };
          return replays.startJob(job, options.mostJobs, until);
        });
        options.onJobStarted();
        record({
          target: { type: 'endpoint', id: endpoint.id, name: endpoint.name },
          changes: changesBetween(null, { ...filter, queued }),
        });
        return { queued };
      },
    }),
  ];
}
