import * as v from 'valibot';
import { MAX_EDIT_BYTES } from '../../core/limits.ts';
import type { Calls } from '../contract.ts';
import { attemptSchema } from '../deliveries/delivery-schema.ts';
import { eventEditSchema } from './event-edit-schema.ts';
import { bodyChoiceSchema, editedCopySchema, eventDetailSchema } from './event-schema.ts';
import { signedHeadersInputSchema, signedHeadersSchema } from './signed-headers-schema.ts';

const read = { tag: 'events', access: 'event', scope: 'read' } as const;
const write = { tag: 'events', access: 'event', scope: 'write' } as const;

export const EVENT_CALLS = {
  'GET /api/endpoints/{id}/events/{eventId}': {
    ...read,
    summary: 'Get an event with its headers, body and deliveries',
    query: bodyChoiceSchema,
    response: eventDetailSchema,
  },
  'GET /api/events/{eventId}': {
    ...read,
    summary: 'Get an event of any endpoint of the account by its id',
    query: bodyChoiceSchema,
    response: eventDetailSchema,
  },
  'GET /api/endpoints/{id}/events/{eventId}/raw': {
    ...read,
    summary: 'Download an event’s body, byte for byte',
    mediaType: 'application/octet-stream',
  },
  'POST /api/endpoints/{id}/events/{eventId}/edit': {
    ...write,
    summary: 'Capture an edited copy of an event, for all of its destinations or some',
    audit: 'event.edit',
    body: eventEditSchema,
    maxBodyBytes: MAX_EDIT_BYTES,
    status: 201,
    response: editedCopySchema,
  },
  'POST /api/events/{eventId}/signed-headers': {
    ...write,
    summary:
      'Sign a verified event as its provider does, with the endpoint’s secrets and the present time',
    audit: { unaudited: 'it changes nothing, and listen asks for it for each event' },
    body: signedHeadersInputSchema,
    response: signedHeadersSchema,
  },
  'DELETE /api/endpoints/{id}/events/{eventId}': {
    ...write,
    summary: 'Delete an event for good; its open deliveries are cancelled',
    audit: 'event.delete',
    status: 204,
  },
  'GET /api/endpoints/{id}/events/{eventId}/deliveries': {
    ...read,
    summary: 'List every delivery attempt of an event, oldest first',
    response: v.array(attemptSchema),
  },
} as const satisfies Calls;
