import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import { pageEntries, pageSchema } from '../list-page-schema.ts';
import { eventSchema, rejectedDetailSchema, rejectedSchema } from './event-schema.ts';

const MAX_LIMIT = 1000;

export const REJECTED_CALLS = {
  'GET /api/endpoints/{id}/rejected': {
    summary: 'List the requests that an enforced source refused, newest first',
    tag: 'sources',
    access: 'endpoint',
    scope: 'read',
    query: v.object(pageEntries(MAX_LIMIT)),
    status: 200,
    response: pageSchema(rejectedSchema),
  },
  'GET /api/endpoints/{id}/rejected/{rejectedId}': {
    summary: 'Get a rejected request with its headers and body',
    tag: 'sources',
    access: 'endpoint',
    scope: 'read',
    status: 200,
    response: rejectedDetailSchema,
  },
  'POST /api/endpoints/{id}/rejected/{rejectedId}/accept': {
    summary: 'Verify a rejected request again, by the secrets of now, and capture it',
    tag: 'sources',
    access: 'endpoint',
    scope: 'write',
    audit: 'event.accept',
    status: 201,
    response: eventSchema,
  },
} as const satisfies Calls;
