import * as v from 'valibot';
import { MAX_EDIT_BYTES } from '../../core/limits.ts';
import type { Calls } from '../contract.ts';
import { attemptSchema } from '../deliveries/delivery-schema.ts';
import { eventEditSchema } from './event-edit-schema.ts';
import { bodyChoiceSchema, eventDetailSchema, eventSchema } from './event-schema.ts';
import { signedHeadersInputSchema, signedHeadersSchema } from './signed-headers-schema.ts';

export const EVENT_CALLS = {
  'GET /api/endpoints/{id}/events/{eventId}': {
    summary: 'Get an event with its headers, body and deliveries',
    tag: 'events',
    access: 'event',
    scope: 'read',
    query: bodyChoiceSchema,
    status: 200,
    response: eventDetailSchema,
  },
  'GET /api/events/{eventId}': {
    summary: 'Get an event of any endpoint of the account by its id',
    tag: 'events',
    access: 'event',
    scope: 'read',
    query: bodyChoiceSchema,
    status: 200,
    response: eventDetailSchema,
  },
  'GET /api/endpoints/{id}/events/{eventId}/raw': {
    summary: 'Download an event’s body, byte for byte',
    tag: 'events',
    access: 'event',
    scope: 'read',
    status: 200,
    mediaType: 'application/octet-stream',
  },
  'POST /api/endpoints/{id}/events/{eventId}/edit': {
    summary: 'Capture an edited copy of an event: a new event, delivered like any other',
    tag: 'events',
    access: 'event',
    scope: 'write',
    audit: 'event.edit',
    body: eventEditSchema,
    maxBodyBytes: MAX_EDIT_BYTES,
    status: 201,
    response: eventSchema,
  },
  'POST /api/events/{eventId}/signed-headers': {
    summary:
      'Sign a verified event as its provider does, with the endpoint’s secrets and the time of now',
    tag: 'events',
    access: 'event',
    scope: 'write',
    audit: { unaudited: 'it changes nothing, and listen asks for it for each event' },
    body: signedHeadersInputSchema,
    status: 200,
    response: signedHeadersSchema,
  },
  'DELETE /api/endpoints/{id}/events/{eventId}': {
    summary: 'Delete an event for good; its open deliveries are cancelled',
    tag: 'events',
    access: 'event',
    scope: 'write',
    audit: 'event.delete',
    status: 204,
  },
  'GET /api/endpoints/{id}/events/{eventId}/deliveries': {
    summary: 'List every delivery attempt of an event, oldest first',
    tag: 'events',
    access: 'event',
    scope: 'read',
    status: 200,
    response: v.array(attemptSchema),
  },
} as const satisfies Calls;
