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

export const DESTINATION_CALLS = {
  'GET /api/endpoints/{id}/destinations': {
    summary: 'List an endpoint’s destinations, newest first',
    tag: 'destinations',
    access: 'endpoint',
    scope: 'read',
    status: 200,
    response: v.array(destinationSchema),
  },
  'POST /api/endpoints/{id}/destinations': {
    summary: 'Add a destination; it gets the events captured from now on',
    tag: 'destinations',
    access: 'endpoint',
    scope: 'write',
    audit: 'destination.create',
    body: newDestinationSchema,
    status: 201,
    response: savedDestinationSchema,
  },
  'GET /api/endpoints/{id}/destinations/{destinationId}': {
    summary: 'Get a destination',
    tag: 'destinations',
    access: 'endpoint',
    scope: 'read',
    status: 200,
    response: destinationSchema,
  },
  'PATCH /api/endpoints/{id}/destinations/{destinationId}': {
    summary:
      'Change a destination; attempts after the answer use the new settings, captures the new filter',
    tag: 'destinations',
    access: 'endpoint',
    scope: 'write',
    audit: 'destination.update',
    body: destinationPatchSchema,
    status: 200,
    response: savedDestinationSchema,
  },
  'DELETE /api/endpoints/{id}/destinations/{destinationId}': {
    summary: 'Remove a destination; deliveries it already has run to their end, or are cancelled',
    tag: 'destinations',
    access: 'endpoint',
    scope: 'write',
    audit: 'destination.delete',
    query: removeSchema,
    status: 204,
  },
} as const satisfies Calls;
