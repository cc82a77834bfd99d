import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import { destinationSchema, rotatedSchema, rotationSchema } from './destination-schema.ts';

const write = { tag: 'destinations', access: 'endpoint', scope: 'write' } as const;

export const DESTINATION_CONTROL_CALLS = {
  'POST /api/endpoints/{id}/destinations/{destinationId}/probe': {
    ...write,
    summary: 'Probe a destination whose breaker is open, now; the answer is the destination',
    audit: 'destination.probe',
    status: 202,
    response: destinationSchema,
  },
  'POST /api/endpoints/{id}/destinations/{destinationId}/discard': {
    ...write,
    summary: 'Cancel everything that waits for a destination',
    audit: 'destination.discard',
    response: v.object({ cancelled: v.number() }),
  },
  'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret': {
    ...write,
    summary: 'Set a new secret, or let the server make one; the old one signs too for a while',
    audit: 'destination.rotate_secret',
    body: rotationSchema,
    response: rotatedSchema,
  },
} as const satisfies Calls;
