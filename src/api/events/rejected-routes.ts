import type { KeptRejection } from '../../capture/accept-rejected.ts';
import type { Endpoint } from '../../core/model.ts';
import type { RejectedStore } from '../../store/contract/rejected.ts';
import { changesBetween } from '../audit-note.ts';
import { windowOf } from '../list-page-schema.ts';
import { existing } from '../not-found.ts';
import { type Route, routesOf } from '../route.ts';
import { EventDetails, type EventDetailsOptions } from './event-details.ts';
import { rejectedView } from './event-view.ts';
import { REJECTED_CALLS } from './rejected-calls.ts';

export interface RejectedRoutesOptions extends EventDetailsOptions {
  rejected: RejectedStore;
  /**
   * Verifies the request again, with the present secrets, and captures it. Returns the event's
   * id. Throws `not_verified`, `rejected_not_found` and `endpoint_inactive`.
   */
  accept(endpoint: Endpoint, kept: KeptRejection): Promise<string>;
}

/** Requests that an enforced source refused. They are no events until somebody accepts them. */
export function rejectedRoutes(options: RejectedRoutesOptions): Route[] {
  const { rejected, views, accept } = options;
  const details = new EventDetails(options);
  const find = async (endpointKey: number, { rejectedId }: { rejectedId: string }) =>
    existing(await rejected.find(endpointKey, rejectedId), 'rejected');
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
    async 'POST /api/endpoints/{id}/rejected/{rejectedId}/accept'(context) {
      const { endpoint, params, signal, record } = context;
      const found = await find(endpoint.key, params);
      const event = await details.captured(endpoint, accept(endpoint, found));
      record({
        target: { type: 'event', id: event.id, name: event.eventType },
        changes: changesBetween(null, { accepted: found.rejected.id }),
      });
      return details.show({ event, endpoint, signal });
    },
  });
}
