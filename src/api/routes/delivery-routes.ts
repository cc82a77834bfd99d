import * as v from 'valibot';
import type { AuditTarget } from '../../core/audit.ts';
import { HookrelayError } from '../../core/errors.ts';
import { type Endpoint, type ListedDelivery, SHOWN_STATES } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import type { DeliveryFilter, DeliveryStore } from '../../store/contract/deliveries.ts';
import type { EventStore } from '../../store/contract/events.ts';
import { sendRawBody } from '../raw-body.ts';
import { type Route, route } from '../route.ts';
import { listedDeliverySchema } from '../schemas/delivery-schema.ts';
import { pageEntries, pageSchema, windowOf } from '../schemas/page.ts';
import { listedDeliveryView } from '../views.ts';

const MAX_LIMIT = 1000;

const listSchema = v.object({
  state: v.optional(v.picklist(SHOWN_STATES, `must be one of ${SHOWN_STATES.join(', ')}`)),
  destination: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\w-]{1,64}$/, 'must be the id of a destination'),
      v.description('Id of a destination.'),
    ),
  ),
  ...pageEntries(MAX_LIMIT),
});

export interface DeliveryRoutesOptions {
  deliveries: DeliveryStore;
  events: EventStore;
  clock: Clock;
  /** Called when a delivery of the destination may go now. */
  onChanged(destinationKey: number): void;
}

export function deliveryRoutes({
  deliveries,
  events,
  clock,
  onChanged,
}: DeliveryRoutesOptions): Route[] {
  const tag = 'deliveries';
  return [
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/deliveries',
      summary: 'List an endpoint’s deliveries, those of the newest event first',
      tag,
      access: 'endpoint',
      scope: 'read',
      query: listSchema,
      status: 200,
      response: pageSchema(listedDeliverySchema),
      async handle({ endpoint, query, signal }) {
        const { page, limit, offset } = windowOf(query);
        const { state, destination } = query;
        const filter: DeliveryFilter = {
          ...(state !== undefined && { state }),
          ...(destination !== undefined && { destinationId: destination }),
        };
        const found = await deliveries.list(
          endpoint.key,
          filter,
          { offset, limit, now: clock.now() },
          signal,
        );
        return { data: found.deliveries.map(listedDeliveryView), page, limit, total: found.total };
      },
    }),
    route({
      method: 'GET',
      path: '/api/deliveries/{deliveryId}',
      summary: 'Get a delivery of any endpoint of the account by its id',
      tag,
      access: 'delivery',
      scope: 'read',
      status: 200,
      response: listedDeliverySchema,
      handle: ({ delivery }) => listedDeliveryView(delivery),
    }),
    route({
      method: 'POST',
      path: '/api/deliveries/{deliveryId}/retry',
      summary:
        'Make one attempt now, past backoff, breaker and order; a dead delivery is open again',
      tag,
      access: 'delivery',
      scope: 'write',
      audit: 'delivery.retry',
      status: 202,
      response: listedDeliverySchema,
      async handle({ principal, endpoint, delivery, record }) {
        const retried = await deliveries.retry(delivery.id, clock.now());
        if (retried === null) throw noDelivery();
        if (typeof retried === 'string') throw notRetried(retried, { endpoint, delivery });
        onChanged(retried.destinationKey);
        record({ target: targetOf(delivery) });
        const now = await deliveries.find(principal.user.id, delivery.id, clock.now());
        return listedDeliveryView(now?.delivery ?? delivery);
      },
    }),
    route({
      method: 'POST',
      path: '/api/deliveries/{deliveryId}/cancel',
      summary: 'Cancel an open delivery',
      tag,
      access: 'delivery',
      scope: 'write',
      audit: 'delivery.cancel',
      status: 204,
      async handle({ delivery, record }) {
        const ended = await deliveries.cancel(delivery.id);
        if (ended === null) throw noDelivery();
        if (ended === 'settled') {
          throw new HookrelayError('delivery_settled', 'this delivery is no longer open');
        }
        onChanged(ended.destinationKey);
        record({ target: targetOf(delivery) });
      },
    }),
    route({
      method: 'GET',
      path: '/api/attempts/{attemptId}/request',
      summary: 'Download the body that an attempt sent, byte for byte',
      tag,
      access: 'attempt',
      scope: 'read',
      status: 200,
      mediaType: 'application/octet-stream',
      async handle({ eventSeq, params, res }) {
        const content = await events.content(eventSeq);
        if (!content) throw new HookrelayError('attempt_not_found', 'there is no such attempt');
        return sendRawBody(res, params.attemptId as string, content.body);
      },
    }),
  ];
}

function targetOf({ id }: ListedDelivery): AuditTarget {
  return { type: 'delivery', id, name: null };
}

function noDelivery(): HookrelayError {
  return new HookrelayError('delivery_not_found', 'there is no such delivery');
}

function notRetried(
  reason: 'paused' | 'settled' | 'crowded',
  { endpoint, delivery }: { endpoint: Endpoint; delivery: ListedDelivery },
): HookrelayError {
  switch (reason) {
    case 'paused':
      return new HookrelayError('destination_paused', 'the delivery’s destination is paused', {
        hint: `hookrelay destinations resume ${endpoint.id} ${delivery.destinationId}`,
      });
    case 'settled':
      return new HookrelayError(
        'delivery_settled',
        'only open deliveries, and a dead one that is the event’s newest to its destination, can be retried',
        { hint: `hookrelay replay ${delivery.eventId}` },
      );
    case 'crowded':
      return new HookrelayError(
        'limit_reached',
        'as many deliveries of this destination as may be retried at once wait already',
        { hint: 'retry when some of them have ended' },
      );
  }
}
