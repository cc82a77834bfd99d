import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import { destinationSchema, rotatedSchema, rotationSchema } from './destination-schema.ts';

export const DESTINATION_CONTROL_CALLS = {
  'POST /api/endpoints/{id}/destinations/{destinationId}/probe': {
    summary: 'Probe a destination now whose breaker is open; the answer is the destination',
    tag: 'destinations',
    access: 'endpoint',
    scope: 'write',
    audit: 'destination.probe',
    status: 202,
    response: destinationSchema,
  },
  'POST /api/endpoints/{id}/destinations/{destinationId}/discard': {
    summary: 'Cancel everything that waits for a destination',
    tag: 'destinations',
    access: 'endpoint',
    scope: 'write',
    audit: 'destination.discard',
    status: 200,
    response: v.object({ cancelled: v.number() }),
  },
  'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret': {
    summary: 'Set a new secret, or let the server make one; the old one signs too for a while',
    tag: 'destinations',
    access: 'endpoint',
    scope: 'write',
    audit: 'destination.rotate_secret',
    body: rotationSchema,
    status: 200,
    response: rotatedSchema,
  },
} as const satisfies Calls;
