import { freeMemory } from '../../../core/free-memory.ts';
import type { SqliteStore } from '../sqlite-store.ts';
import { unpackRequests } from './append-message.ts';
import { joinBodies } from './joined-bodies.ts';
import type { PackedOperations, StoreOperations } from './store-operations.ts';

/** The operations of the store's thread, on the store that lives in it. */
export function threadOperations(store: SqliteStore): StoreOperations {
  const { accounts, apiTokens, audit, endpoints, destinations, deliveries } = store;
  const { events, rejected, replays, live, issues, channels, types, queue } = store;
  const packed: PackedOperations = {
    async append(requests, terms) {
      const appended = await events.append(unpackRequests(requests), terms);
      freeMemory(requests.bodies.bytes);
      return appended;
    },
    async claimWithRequests(now, terms, bounds) {
      const claimed = await queue.claimDue(now, terms);
      const requests = queue.requestsOf(claimed, bounds);
      return {
        claimed,
        requests: requests.map(({ body, ...head }) => head),
        bodies: joinBodies(requests),
      };
    },
  };
  return {
    store,
    accounts,
    apiTokens,
    audit,
    endpoints,
    destinations,
    deliveries,
    events,
    rejected,
    replays,
    live,
    issues,
    channels,
    types,
    queue,
    upkeep: store.upkeep,
    packed,
  };
}
