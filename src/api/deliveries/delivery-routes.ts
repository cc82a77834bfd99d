import type { AuditTarget } from '../../core/audit.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint, ListedDelivery } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { DeliveryStore } from '../../store/contract/deliveries.ts';
import type { EventStore } from '../../store/contract/events.ts';
import { defined } from '../defined.ts';
import { windowOf } from '../list-page-schema.ts';
import { existing } from '../not-found.ts';
import { sendRawBody } from '../raw-body.ts';
import { type Route, routesOf } from '../route.ts';
import { DELIVERY_CALLS } from './delivery-calls.ts';
import { listedDeliveryView } from './delivery-view.ts';

export interface DeliveryRoutesOptions {
  deliveries: DeliveryStore;
  events: EventStore;
  clock: Clock;
  /** Called when a delivery of the destination may go now. */
  onChanged(destinationKey: number): void;
}

export function deliveryRoutes(options: DeliveryRoutesOptions): Route[] {
  const { deliveries, events, clock, onChanged } = options;
  return routesOf(DELIVERY_CALLS, {
    async 'GET /api/endpoints/{id}/deliveries'({ endpoint, query, signal }) {
      const { page, limit, offset } = windowOf(query);
      const { state, destination } = query;
      const filter = defined({ state, destinationId: destination });
      const found = await deliveries.list(
        endpoint.key,
        filter,
        { offset, limit, now: clock.now() },
        signal,
      );
      return { data: found.deliveries.map(listedDeliveryView), page, limit, total: found.total };
    },
    'GET /api/deliveries/{deliveryId}': ({ delivery }) => listedDeliveryView(delivery),
    async 'POST /api/deliveries/{deliveryId}/retry'({ principal, endpoint, delivery, record }) {
      const retried = existing(await deliveries.retry(delivery.id, clock.now()), 'delivery');
      if (typeof retried === 'string') throw notRetried(retried, { endpoint, delivery });
      onChanged(retried.destinationKey);
      record({ target: targetOf(delivery) });
      const now = await deliveries.find(principal.user.id, delivery.id, clock.now());
      return listedDeliveryView(now?.delivery ?? delivery);
    },
    async 'POST /api/deliveries/{deliveryId}/cancel'({ delivery, record }) {
      const ended = existing(await deliveries.cancel(delivery.id), 'delivery');
      if (ended === 'settled') {
        throw new HookrelayError('delivery_settled', 'this delivery is no longer open');
      }
      onChanged(ended.destinationKey);
      record({ target: targetOf(delivery) });
    },
    async 'GET /api/attempts/{attemptId}/request'({ eventSeq, params, res }) {
      const { body } = existing(await events.content(eventSeq), 'attempt');
      return sendRawBody(res, params.attemptId, body);
    },
  });
}

function targetOf({ id }: ListedDelivery): AuditTarget {
  return { type: 'delivery', id, name: null };
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
        'only an open delivery, or a dead one that is the event’s newest to its destination, can be retried',
        { hint: `hookrelay replay ${delivery.eventId}` },
      );
    case 'crowded':
      return new HookrelayError(
        'limit_reached',
        'too many retries of this destination wait already',
        { hint: 'retry when some of them have ended' },
      );
  }
}
