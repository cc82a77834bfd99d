import { systemClock } from '../../../core/runtime/runtime.ts';
import type { ChannelStore } from '../../contract/channels.ts';
import type { EndpointStore } from '../../contract/endpoints.ts';
import type { EventStore } from '../../contract/events.ts';
import type { ReplayStore } from '../../contract/replays.ts';
import type { Store } from '../../contract/store.ts';
import { wholeResult } from '../capture/append-result.ts';
import { databaseFile } from '../files/data-files.ts';
import { withReads } from '../reader-thread/reads.ts';
import { packRequests } from './append-message.ts';
import { StoreThread, type StoreThreadOptions } from './store-thread.ts';
import { ThreadQueue } from './thread-queue.ts';

/**
 * Opens the SQLite store in its own thread, so that no statement delays the main thread. A commit
 * waits a millisecond or more for the disk.
 *
 * The main thread sends reads to the reader's threads. A read that starts after a write was
 * answered sees that write.
 *
 * Throws what `openSqliteStore` throws.
 */
export async function openThreadedStore(options: StoreThreadOptions): Promise<Store> {
  // SQLite creates its files with the process's umask, and they contain everyone's payloads.
  process.umask(0o077);
  const thread = new StoreThread({
    ...options,
    onClaimsDropped: (deliveryIds) => queue.onDropped(deliveryIds),
  });
  const generation = await thread.opened;
  const parts = withReads(thread.operations, thread.reads);
  const queue = new ThreadQueue(parts, databaseFile(options.dataDir));
  const { store, packed } = parts;
  const { remove: removeEndpoint } = parts.endpoints;
  const { find: findChannel, remove: removeChannel } = parts.channels;
  const { replay } = parts.replays;

  return {
    accounts: parts.accounts,
    apiTokens: parts.apiTokens,
    audit: parts.audit,
    destinations: parts.destinations,
    deliveries: parts.deliveries,
    rejected: parts.rejected,
    live: parts.live,
    issues: parts.issues,
    types: parts.types,
    upkeep: parts.upkeep,
    queue,
    endpoints: Object.assign(parts.endpoints, {
      async remove(key, now) {
        const removed = await removeEndpoint(key, now);
        queue.onEndpointRemoved(key);
        return removed;
      },
    } satisfies Pick<EndpointStore, 'remove'>),
    channels: Object.assign(parts.channels, {
      async remove(userId, id, now) {
        const channel = await findChannel(userId, id);
        const removed = await removeChannel(userId, id, now);
        if (channel) queue.onEndpointRemoved(channel.endpointKey);
        return removed;
      },
    } satisfies Pick<ChannelStore, 'remove'>),
    events: Object.assign(parts.events, {
      async appendBatch(requests, terms) {
        const appended = await packed.append(packRequests(requests), terms);
        return queue.accept(wholeResult(requests, appended), terms.leaseUntil, requests);
      },
    } satisfies Pick<EventStore, 'appendBatch'>),
    replays: Object.assign(parts.replays, {
      async replay(endpointKey, seq, now, terms, target) {
        const replayed = await replay(endpointKey, seq, now, terms, target);
        return queue.accept(replayed, terms.leaseUntil);
      },
    } satisfies Pick<ReplayStore, 'replay'>),
    claimSecret: store.claimSecret,
    hasSecret: store.hasSecret,
    announce: store.announce,
    checkWritable: store.checkWritable,
    stats: store.stats,
    generation,
    history: generation,
    clock: systemClock,
    cluster: null,
    async close() {
      queue.close();
      await thread.close();
    },
  };
}
