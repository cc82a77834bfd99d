import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import {
  destinationPatchSchema,
  destinationSchema,
  newDestinationSchema,
  savedDestinationSchema,
} from './destination-schema.ts';

const removeSchema = v.object({
  pending: v.optional(v.picklist(['keep', 'cancel'], 'must be keep or cancel')),
});

const read = { tag: 'destinations', access: 'endpoint', scope: 'read' } as const;
const write = { tag: 'destinations', access: 'endpoint', scope: 'write' } as const;

export const DESTINATION_CALLS = {
  'GET /api/endpoints/{id}/destinations': {
    ...read,
    summary: 'List an endpoint’s destinations, newest first',
    response: v.array(destinationSchema),
  },
  'POST /api/endpoints/{id}/destinations': {
    ...write,
    summary: 'Add a destination; it gets the events captured from now on',
    audit: 'destination.create',
    body: newDestinationSchema,
    status: 201,
    response: savedDestinationSchema,
  },
  'GET /api/endpoints/{id}/destinations/{destinationId}': {
    ...read,
    summary: 'Get a destination',
    response: destinationSchema,
  },
  'PATCH /api/endpoints/{id}/destinations/{destinationId}': {
    ...write,
    summary:
      'Change a destination; attempts after the answer use the new settings, captures the new filter',
    audit: 'destination.update',
    body: destinationPatchSchema,
    response: savedDestinationSchema,
  },
  'DELETE /api/endpoints/{id}/destinations/{destinationId}': {
    ...write,
    summary: 'Remove a destination; deliveries it already has run to their end, or are cancelled',
    audit: 'destination.delete',
    query: removeSchema,
    status: 204,
  },
} as const satisfies Calls;
