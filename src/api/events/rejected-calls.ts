import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import { pageEntries, pageSchema } from '../list-page-schema.ts';
import { eventSchema, rejectedDetailSchema, rejectedSchema } from './event-schema.ts';

const MAX_LIMIT = 1000;

const read = { tag: 'sources', access: 'endpoint', scope: 'read' } as const;

export const REJECTED_CALLS = {
  'GET /api/endpoints/{id}/rejected': {
    ...read,
    summary: 'List the requests that an enforced source refused, newest first',
    query: v.object(pageEntries(MAX_LIMIT)),
    response: pageSchema(rejectedSchema),
  },
  'GET /api/endpoints/{id}/rejected/{rejectedId}': {
    ...read,
    summary: 'Get a rejected request with its headers and body',
    response: rejectedDetailSchema,
  },
  'POST /api/endpoints/{id}/rejected/{rejectedId}/accept': {
    summary: 'Verify a rejected request again, by the present secrets, and capture it',
    tag: 'sources',
    access: 'endpoint',
    scope: 'write',
    audit: 'event.accept',
    status: 201,
    response: eventSchema,
  },
} as const satisfies Calls;
