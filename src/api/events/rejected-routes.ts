import type { KeptRejection } from '../../capture/accept-rejected.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { RejectedStore } from '../../store/contract/rejected.ts';
import { changesBetween } from '../audit-note.ts';
import { windowOf } from '../list-page-schema.ts';
import { type Route, routesOf } from '../route.ts';
import { rejectedView } from './event-view.ts';
import { REJECTED_CALLS } from './rejected-calls.ts';
import type { RequestViews } from './request-views.ts';

export interface RejectedRoutesOptions {
  rejected: RejectedStore;
  events: EventStore;
  views: Pick<RequestViews, 'show'>;
  clock: Clock;
  /**
   * Verifies the request again, by the secrets of now, and captures it. Returns the event's
   * id. Throws `not_verified`, `rejected_not_found` and `endpoint_inactive`.
   */
  accept(endpoint: Endpoint, kept: KeptRejection): Promise<string>;
}

/** Requests that an enforced source refused. They are no events until somebody accepts them. */
export function rejectedRoutes({
  rejected,
  events,
  views,
  clock,
  accept,
}: RejectedRoutesOptions): Route[] {
  const find = async (endpointKey: number, { rejectedId }: { rejectedId: string }) => {
    const found = await rejected.find(endpointKey, rejectedId);
    if (!found) throw new HookrelayError('rejected_not_found', 'there is no such rejected request');
    return found;
  };
  return routesOf(REJECTED_CALLS, {
    async 'GET /api/endpoints/{id}/rejected'({ endpoint, query }) {
      const { page, limit, offset } = windowOf(query);
      const found = await rejected.list(endpoint.key, { offset, limit });
      return { data: found.rejected.map(rejectedView), page, limit, total: found.total };
    },
    async 'GET /api/endpoints/{id}/rejected/{rejectedId}'({ endpoint, params, signal }) {
      const found = await find(endpoint.key, params);
      const viewed = { account: endpoint.userId, size: found.rejected.size, signal };
      const { source } = endpoint;
      return views.show(viewed, async () => ({ kind: 'rejected', ...found, source }));
    },
    async 'POST /api/endpoints/{id}/rejected/{rejectedId}/accept'({
      endpoint,
      params,
      signal,
      record,
    }) {
      const found = await find(endpoint.key, params);
      const id = await accept(endpoint, found).catch((error) => {
        const isPaused = error instanceof HookrelayError && error.code === 'endpoint_inactive';
        throw isPaused ? endpointPaused(endpoint) : error;
      });
      const event = await events.find(endpoint.key, id);
      if (!event) throw deletedMeanwhile();
      record({
        target: { type: 'event', id, name: event.eventType },
        changes: changesBetween(null, { accepted: found.rejected.id }),
      });
      const viewed = { account: endpoint.userId, size: event.size, signal };
      return views.show(viewed, async () => {
        const content = await events.content(event.seq);
        if (!content) throw deletedMeanwhile();
        const deliveries = await events.deliveries(event.seq, clock.now());
        return { kind: 'event', event, content, deliveries, source: endpoint.source };
      });
    },
  });
}

function deletedMeanwhile(): HookrelayError {
  return new HookrelayError('event_not_found', 'the event was deleted meanwhile');
}

function endpointPaused({ id }: Pick<Endpoint, 'id'>): HookrelayError {
  return new HookrelayError('endpoint_paused', 'the endpoint is paused; it captures nothing', {
    hint: `hookrelay endpoints resume ${id}`,
  });
}
