import { freeMemory } from '../../../core/runtime/free-memory.ts';
import type { SqliteStore } from '../sqlite-store.ts';
import { joinBodies } from '../threads/joined-bodies.ts';
import { unpackRequests } from './append-message.ts';
import type { StoreFunctions } from './store-functions.ts';

/** Returns the functions of the store's thread. They use the store that this thread opened. */
export function threadFunctions(
  store: SqliteStore,
  threads: StoreFunctions['threads'],
): StoreFunctions {
  const { events, queue } = store;
  return {
    ...store,
    store,
    threads,
    claims: queue,
    packed: {
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
    },
  };
}
