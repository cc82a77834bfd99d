import * as v from 'valibot';
import { reaches } from '../../accounts/principal.ts';
import type { AuditTarget } from '../../core/audit.ts';
import { DEFAULT_ON_UNJUDGED, ON_UNJUDGED } from '../../core/judging/unjudged.ts';
import type { Endpoint } from '../../core/model.ts';
import { newEndpoint } from '../../core/new-endpoint.ts';
import type { Clock } from '../../core/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { durationSchema } from '../../core/settings/duration-schema.ts';
import { nameSchema } from '../../core/settings/name-schema.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { changesBetween } from '../audit-note.ts';
import { changeEndpoint, noEndpoint } from '../change-endpoint.ts';
import { type Route, route } from '../route.ts';
import { responseSchema, shownResponseSchema } from '../schemas/response-schema.ts';
import { changedDedupe, changedSource } from '../source/chosen-settings.ts';
import { dedupeSchema, shownDedupeSchema } from '../source/dedupe-schema.ts';
import { EndpointViews } from '../source/endpoint-view.ts';
import { newSourceSchema, sourcePatchSchema, sourceSchema } from '../source/source-schema.ts';
import { isoTimeSchema } from '../views.ts';

const name = nameSchema(200, 'The endpoint’s name.', 'orders');

const retention = v.optional(
  v.nullable(
    durationSchema('How long events are kept; null for as long as the server keeps them.', {
      leastMs: 60_000,
      mostMs: 3650 * 86_400_000,
      example: '30d',
    }),
  ),
);

const expectEvery = v.optional(
  v.nullable(
    durationSchema('Longest time without an event before an issue opens; null for any.', {
      leastMs: 1000,
      mostMs: 365 * 86_400_000,
      example: '15m',
    }),
  ),
);

const optionalEntries = {
  response: v.optional(v.nullable(responseSchema)),
  retention,
  expect_every: expectEvery,
  dedupe: v.optional(v.nullable(dedupeSchema)),
  on_unjudged: v.optional(
    v.nullable(v.picklist(ON_UNJUDGED, `must be ${ON_UNJUDGED.join(' or ')}`)),
  ),
};

const createSchema = v.object({
  name,
  ...optionalEntries,
  source: v.optional(v.nullable(newSourceSchema)),
});

const patchSchema = v.object({
  name: v.optional(name),
  is_active: v.optional(v.boolean('must be true or false')),
  ...optionalEntries,
  source: v.optional(v.nullable(sourcePatchSchema)),
});

const endpointSchema = v.object({
  id: v.string(),
  name: v.string(),
  public_token: v.string(),
  is_active: v.boolean(),
  created_at: isoTimeSchema,
  capture_url: v.string(),
  response: v.pipe(
    v.nullable(shownResponseSchema),
    v.description('Its own answer to senders; null for hookrelay’s.'),
  ),
  retention: v.pipe(
    v.nullable(v.string()),
    v.description('A duration; null for as long as the server keeps events.'),
  ),
  expect_every: v.pipe(
    v.nullable(v.string()),
    v.description('A duration; an issue opens when no event comes for longer. Null for any.'),
  ),
  source: v.pipe(
    v.nullable(sourceSchema),
    v.description('Who sends to it, and how requests prove it.'),
  ),
  dedupe: v.pipe(
    v.nullable(shownDedupeSchema),
    v.description('How repeated requests are recognised; null where all are delivered.'),
  ),
  on_unjudged: v.pipe(
    v.picklist(ON_UNJUDGED),
    v.description(
      'What becomes of events whose bodies filters cannot judge: `deliver` sends them, `hold` keeps their deliveries for a retry by hand.',
    ),
  ),
  guessed: v.pipe(
    v.nullable(v.string()),
    v.description('The provider that recent events look like.'),
  ),
});

export interface EndpointRoutesOptions {
  endpoints: EndpointStore;
  keys: Keys;
  clock: Clock;
  /** Most endpoints of an account. */
  most: number;
  /** Origin of capture URLs. */
  baseUrl(): string;
  /** Called after `expect_every` is set, changed or removed. */
  onExpectationChanged(endpointKey: number): void;
  /** Called after a change of the source. */
  onSourceChanged(): void;
  /** Called after a deletion: the purge has work. */
  onRemoved(): void;
}

export function endpointRoutes({
  endpoints,
  keys,
  clock,
  most,
  baseUrl,
  onExpectationChanged,
  onSourceChanged,
  onRemoved,
}: EndpointRoutesOptions): Route[] {
  const tag = 'endpoints';
  const views = new EndpointViews({ endpoints, keys, baseUrl });
  return [
    route({
      method: 'GET',
      path: '/api/endpoints',
      summary: 'List the account’s endpoints, newest first',
      tag,
      access: 'account-part',
      scope: 'read',
      status: 200,
      response: v.array(endpointSchema),
      handle: async ({ principal }) =>
        views.all(
          (await endpoints.list(principal.user.id)).filter(({ key }) => reaches(principal, key)),
        ),
    }),
    route({
      method: 'POST',
      path: '/api/endpoints',
      summary: 'Create an endpoint',
      tag,
      access: 'account',
      scope: 'write',
      audit: 'endpoint.create',
      body: createSchema,
      status: 201,
      response: endpointSchema,
      async handle({ principal, body, record }) {
        const plain = {
          ...newEndpoint(principal.user.id, body.name, clock.now()),
          response: body.response ?? null,
          retentionMs: body.retention ?? null,
          expectEveryMs: body.expect_every ?? null,
          onUnjudged: body.on_unjudged ?? DEFAULT_ON_UNJUDGED,
        };
        const source = changedSource(plain, body.source ?? null, keys);
        const dedupe = changedDedupe({ ...plain, source }, body.dedupe ?? null);
        const endpoint = await endpoints.create({ ...plain, source, dedupe }, most);
        if (endpoint.expectEveryMs !== null) onExpectationChanged(endpoint.key);
        record({
          target: targetOf(endpoint),
          changes: changesBetween(null, views.settings(endpoint)),
        });
        return views.one(endpoint);
      },
    }),
    route({
      method: 'GET',
      path: '/api/endpoints/{id}',
      summary: 'Get an endpoint',
      tag,
      access: 'endpoint',
      scope: 'read',
      status: 200,
      response: endpointSchema,
      handle: ({ endpoint }) => views.one(endpoint),
    }),
    route({
      method: 'PATCH',
      path: '/api/endpoints/{id}',
      summary:
        'Change an endpoint: its name, state, answer to senders, retention, expectation, source, dedupe or what it does with events that filters cannot judge',
      tag,
      access: 'endpoint',
      scope: 'write',
      audit: 'endpoint.update',
      body: patchSchema,
      status: 200,
      response: endpointSchema,
      async handle({ endpoint, body, record }) {
        const changed = await changeEndpoint(endpoints, endpoint, (before) => {
          const source =
            body.source === undefined ? before.source : changedSource(before, body.source, keys);
          return {
            ...(body.name !== undefined && { name: body.name }),
            ...(body.is_active !== undefined && { isActive: body.is_active }),
            ...(body.response !== undefined && { response: body.response }),
            ...(body.retention !== undefined && { retentionMs: body.retention }),
            ...(body.expect_every !== undefined &&
              body.expect_every !== before.expectEveryMs && {
                expect: { everyMs: body.expect_every, now: clock.now() },
              }),
            ...(body.on_unjudged !== undefined && {
              onUnjudged: body.on_unjudged ?? DEFAULT_ON_UNJUDGED,
            }),
            ...(body.source !== undefined && { source }),
            ...(body.dedupe !== undefined && {
              dedupe: changedDedupe({ ...before, source }, body.dedupe),
            }),
          };
        });
        const updated = changed.after;
        if (updated.expectEveryMs !== changed.before.expectEveryMs) {
          onExpectationChanged(updated.key);
        }
        if (body.source !== undefined) onSourceChanged();
        const [before, after] = [views.settings(changed.before), views.settings(updated)];
        const changes = changesBetween(before, after);
        // Two secrets may have one mask.
        if (body.source?.secrets) changes.source = [before.source, after.source];
        record({ target: targetOf(updated), changes });
        return views.one(updated);
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/endpoints/{id}',
      summary: 'Delete an endpoint and all its events for good',
      tag,
      access: 'endpoint',
      scope: 'write',
      audit: 'endpoint.delete',
      status: 204,
      async handle({ endpoint, record }) {
        if (!(await endpoints.remove(endpoint.key, clock.now()))) throw noEndpoint();
        onRemoved();
        record({ target: targetOf(endpoint) });
      },
    }),
  ];
}

function targetOf({ id, name }: Endpoint): AuditTarget {
  return { type: 'endpoint', id, name };
}
