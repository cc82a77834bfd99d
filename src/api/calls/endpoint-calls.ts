import * as v from 'valibot';
import { ON_UNJUDGED } from '../../core/judging/unjudged.ts';
import { durationSchema } from '../../core/settings/duration-schema.ts';
import { nameSchema } from '../../core/settings/name-schema.ts';
import type { Calls } from '../contract.ts';
import { isoTimeSchema } from '../schemas/iso-time.ts';
import { responseSchema, shownResponseSchema } from '../schemas/response-schema.ts';
import { dedupeSchema, shownDedupeSchema } from '../source/dedupe-schema.ts';
import { newSourceSchema, sourcePatchSchema, sourceSchema } from '../source/source-schema.ts';

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

export const endpointSchema = v.object({
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

export const ENDPOINT_CALLS = {
  'GET /api/endpoints': {
    summary: 'List the account’s endpoints, newest first',
    tag: 'endpoints',
    access: 'account-part',
    scope: 'read',
    status: 200,
    response: v.array(endpointSchema),
  },
  'POST /api/endpoints': {
    summary: 'Create an endpoint',
    tag: 'endpoints',
    access: 'account',
    scope: 'write',
    audit: 'endpoint.create',
    body: createSchema,
    status: 201,
    response: endpointSchema,
  },
  'GET /api/endpoints/{id}': {
    summary: 'Get an endpoint',
    tag: 'endpoints',
    access: 'endpoint',
    scope: 'read',
    status: 200,
    response: endpointSchema,
  },
  'PATCH /api/endpoints/{id}': {
    summary:
      'Change an endpoint: its name, state, answer to senders, retention, expectation, source, dedupe or what it does with events that filters cannot judge',
    tag: 'endpoints',
    access: 'endpoint',
    scope: 'write',
    audit: 'endpoint.update',
    body: patchSchema,
    status: 200,
    response: endpointSchema,
  },
  'DELETE /api/endpoints/{id}': {
    summary: 'Delete an endpoint and all its events for good',
    tag: 'endpoints',
    access: 'endpoint',
    scope: 'write',
    audit: 'endpoint.delete',
    status: 204,
  },
} as const satisfies Calls;
