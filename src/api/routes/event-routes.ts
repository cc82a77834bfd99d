import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { EVENT_STATUSES, type EventSummary, SHOWN_STATES } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import { timestampSchema } from '../../core/units/timestamp.ts';
import type { ClaimTerms, NewDeliveries } from '../../store/contract/claims.ts';
import type { EventContent, EventFilter, EventStore } from '../../store/contract/events.ts';
import type { ReplayStore } from '../../store/contract/replays.ts';
import { changesBetween } from '../audit-note.ts';
import { ANSWERED, JsonText, type Route, route, WithStatus } from '../route.ts';
import { pageEntries, pageSchema, windowOf } from '../schemas/page.ts';
import {
  attemptView,
  eventDetailText,
  eventListItem,
  eventSummaryView,
  isoTimeSchema,
} from '../views.ts';

const MAX_LIMIT = 1000;
const MAX_Q_CODE_POINTS = 256;

const status = v.picklist(EVENT_STATUSES, `must be one of ${EVENT_STATUSES.join(', ')}`);
const q = v.pipe(
  v.string('must be a string'),
  v.metadata({
    description: 'Literal, case-sensitive text in the body.',
    maxLength: MAX_Q_CODE_POINTS,
  }),
  v.check(
    (text) => [...text].length <= MAX_Q_CODE_POINTS,
    `must be at most ${MAX_Q_CODE_POINTS} characters`,
  ),
);
const method = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Za-z-]{1,32}$/, 'must be an HTTP method'),
  v.toUpperCase(),
);

const filterEntries = {
  status: v.optional(status),
  method: v.optional(method),
  from: v.optional(timestampSchema),
  to: v.optional(timestampSchema),
  q: v.optional(q),
};

const listSchema = v.object({
  ...filterEntries,
  ...pageEntries(MAX_LIMIT),
  view: v.optional(v.picklist(['summary'], 'must be summary')),
});

const replayManySchema = v.object({
  ...filterEntries,
  dry_run: v.optional(v.boolean('must be true or false')),
});

const listItemSchema = v.object({
  id: v.string(),
  status,
  method: v.string(),
  received_at: isoTimeSchema,
});

const eventSummarySchema = v.object({
  ...listItemSchema.entries,
  endpoint_id: v.string(),
  path: v.string(),
  content_type: v.nullable(v.string()),
  size: v.number(),
  provider: v.nullable(v.string()),
  event_type: v.nullable(v.string()),
  source_ip: v.string(),
  attempts: v.number(),
});

const eventSchema = v.object({
  ...eventSummarySchema.entries,
  query: v.string(),
  headers: v.record(v.string(), v.string()),
  raw_headers: v.array(v.array(v.string())),
  body: v.unknown(),
  body_encoding: v.picklist(['json', 'text', 'base64', 'none']),
  deliveries: v.array(
    v.object({
      id: v.string(),
      destination_id: v.string(),
      destination_url: v.string(),
      trigger: v.picklist(['capture', 'replay']),
      state: v.picklist(SHOWN_STATES),
      attempts: v.number(),
      next_attempt_at: v.nullable(isoTimeSchema),
    }),
  ),
});

const attemptSchema = v.object({
  id: v.string(),
  attempt: v.number(),
  response_code: v.nullable(v.number()),
  response_headers: v.pipe(
    v.nullable(v.array(v.array(v.string()))),
    v.description(
      'Names and values in order, with case and duplicates. Null without a response, and for attempts of an older hookrelay.',
    ),
  ),
  response_body: v.nullable(v.string()),
  response_truncated: v.boolean(),
  attempted_at: isoTimeSchema,
  duration_ms: v.number(),
  error: v.nullable(v.object({ code: v.string(), message: v.string() })),
  next_attempt_at: v.nullable(isoTimeSchema),
  trigger: v.picklist(['capture', 'replay']),
  delivery_id: v.string(),
  destination_id: v.string(),
  destination_url: v.string(),
});

export interface EventRoutesOptions {
  events: EventStore;
  replays: ReplayStore;
  clock: Clock;
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
      await eventDetailText(event, await contentOf(event), await events.deliveries(event.seq)),
    );

  return [
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/events',
      summary: 'List an endpoint’s events, newest first, filtered and paged',
      tag,
      access: 'endpoint',
      scope: 'read',
      query: listSchema,
      status: 200,
      response: pageSchema(v.union([eventSummarySchema, listItemSchema])),
      async handle({ endpoint, query, signal }) {
        const { page: _, limit: __, view, ...filter } = query;
        const { page, limit, offset } = windowOf(query);
        const scope = { endpointKeys: [endpoint.key] };
        const found = await events.list(scope, present(filter), { offset, limit }, signal);
        const show = view === 'summary' ? eventSummaryView : eventListItem;
        return { data: found.events.map(show), page, limit, total: found.total };
      },
    }),
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
        res.writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-length': body.length,
          'content-disposition': `attachment; filename="${event.id}.bin"`,
          'content-security-policy': 'sandbox',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
        res.end(body);
        return ANSWERED;
      },
    }),
    route({
      method: 'POST',
      path: '/api/endpoints/{id}/events/{eventId}/replay',
      summary: 'Deliver an event again, to all current destinations of the endpoint',
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
      async handle({ endpoint, body: { dry_run, ...filter }, signal, record }) {
        if (dry_run) {
          const matching = await replays.count(endpoint.key, present(filter), signal);
          return new WithStatus(200, { matching });
        }
        const now = clock.now();
        const queued = await replays.startJob(
          { id: newId('job', now), endpointKey: endpoint.key, filter: present(filter), now },
          options.mostJobs,
          signal,
        );
        options.onJobStarted();
        record({
          target: { type: 'endpoint', id: endpoint.id, name: endpoint.name },
          changes: changesBetween(null, { ...present(filter), queued }),
        });
        return { queued };
      },
    }),
  ];
}

/** The filters that have a value. An empty `q` matches every body, so it is left out. */
function present(filter: { [K in keyof EventFilter]?: EventFilter[K] | undefined }): EventFilter {
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  );
}
