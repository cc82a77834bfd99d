import * as v from 'valibot';
import { SHOWN_STATES } from '../../core/model.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { idSchema } from '../id-schema.ts';
import { pageEntries, pageSchema } from '../list-page-schema.ts';
import { oneOf } from '../one-of.ts';
import { listedDeliverySchema } from './delivery-schema.ts';

const MAX_LIMIT = 1000;

const listSchema = v.object({
  state: v.optional(oneOf(SHOWN_STATES)),
  destination: v.optional(about(idSchema('destination'), 'Id of a destination.')),
  ...pageEntries(MAX_LIMIT),
});

export const DELIVERY_CALLS = {
  'GET /api/endpoints/{id}/deliveries': {
    summary: 'List an endpoint’s deliveries, those of the newest event first',
    tag: 'deliveries',
    access: 'endpoint',
    scope: 'read',
    query: listSchema,
    response: pageSchema(listedDeliverySchema),
  },
  'GET /api/deliveries/{deliveryId}': {
    summary: 'Get a delivery of any endpoint of the account by its id',
    tag: 'deliveries',
    access: 'delivery',
    scope: 'read',
    response: listedDeliverySchema,
  },
  'POST /api/deliveries/{deliveryId}/retry': {
    summary:
      'Make one attempt now, regardless of backoff, breaker and order; reopens a dead delivery',
    tag: 'deliveries',
    access: 'delivery',
    scope: 'write',
    audit: 'delivery.retry',
    status: 202,
    response: listedDeliverySchema,
  },
  'POST /api/deliveries/{deliveryId}/cancel': {
    summary: 'Cancel an open delivery',
    tag: 'deliveries',
    access: 'delivery',
    scope: 'write',
    audit: 'delivery.cancel',
    status: 204,
  },
  'GET /api/attempts/{attemptId}/request': {
    summary: 'Download the body that an attempt sent, byte for byte',
    tag: 'deliveries',
    access: 'attempt',
    scope: 'read',
    mediaType: 'application/octet-stream',
  },
} as const satisfies Calls;
