import { systemClock } from '../../../core/runtime.ts';
import type { Store } from '../../contract/store.ts';
import { databaseFile } from '../files/data-files.ts';
import { wholeResult } from '../writing/append-result.ts';
import { packRequests } from './append-message.ts';
import { StoreThread, type StoreThreadOptions } from './store-thread.ts';
import { ThreadQueue } from './thread-queue.ts';

/**
 * Opens the SQLite store in a thread of its own. A commit takes a millisecond or
 * more, mostly waiting for the disk. Meanwhile the main thread reads and answers
 * requests: no statement delays them.
 *
 * Throws what `openSqliteStore` throws.
 */
export async function openThreadedStore(options: StoreThreadOptions): Promise<Store> {
  // SQLite makes its files with the process's mask, and they hold everyone's payloads.
  process.umask(0o077);
  const thread = new StoreThread({
    ...options,
    onClaimsDropped: (deliveryIds) => queue.onDropped(deliveryIds),
  });
  const { generation } = await thread.opened;
  const { store, accounts, apiTokens, audit, endpoints, destinations } = thread.operations;
  const { deliveries, events, rejected, replays, live, upkeep, packed } = thread.operations;
  const { issues, channels, types } = thread.operations;
  const queue = new ThreadQueue(thread.operations, databaseFile(options.dataDir));

  return {
    ...store,
    generation,
    history: generation,
    clock: systemClock,
    cluster: null,
    accounts,
    apiTokens,
    audit,
    destinations,
    deliveries,
    live,
    issues,
    types,
    rejected,
    upkeep,
    queue,
    endpoints: {
      ...endpoints,
      async remove(key, now) {
        const removed = await endpoints.remove(key, now);
        queue.onEndpointRemoved(key);
        return removed;
      },
    },
    channels: {
      ...channels,
      async remove(userId, id, now) {
        const channel = await channels.find(userId, id);
        const removed = await channels.remove(userId, id, now);
        if (channel) queue.onEndpointRemoved(channel.endpointKey);
        return removed;
      },
    },
    events: {
      ...events,
      async appendBatch(requests, terms) {
        const appended = await packed.append(packRequests(requests), terms);
        return queue.accept(wholeResult(requests, appended), requests);
      },
    },
    replays: {
      ...replays,
      async replay(...args) {
        return queue.accept(await replays.replay(...args));
      },
    },
    async close() {
      queue.close();
      await thread.close();
    },
  };
}
