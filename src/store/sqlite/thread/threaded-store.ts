import type { CapturedRequest } from '../../../core/http/captured-request.ts';

import { systemClock } from '../../../core/runtime.ts';
import type { AccountStore } from '../../contract/accounts.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type { DestinationStore } from '../../contract/destinations.ts';
import type { EndpointStore } from '../../contract/endpoints.ts';
import type { EventContent, EventStore } from '../../contract/events.ts';
import type { LiveStore } from '../../contract/live.ts';
import type { ReplayStore } from '../../contract/replays.ts';
import type { Store } from '../../contract/store.ts';
import type { UpkeepStore } from '../../contract/upkeep.ts';
import { databaseFile } from '../files/data-files.ts';
import { type AppendedBatch, wholeResult } from '../writing/append-result.ts';
import { packRequests } from './append-message.ts';
import { StoreThread, type StoreThreadOptions } from './store-thread.ts';
import { type RemoteQueue, ThreadQueue } from './thread-queue.ts';

/**
 * Opens the SQLite store in a thread of its own. A commit takes a millisecond or
 * more, most of it waiting for the disk: here, requests are read and answered
 * meanwhile, and nothing that a statement costs delays them.
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
  const remote = thread.part<RemoteQueue>('queue');
  const queue = new ThreadQueue(
    Object.assign(remote, { begin: withBuffers(remote.begin) }),
    databaseFile(options.dataDir),
  );
  const events = thread.part<EventStore>('events');
  const replays = thread.part<ReplayStore>('replays');
  const endpoints = thread.part<EndpointStore>('endpoints');
  const { content } = events;
  const { remove } = endpoints;
  const { replay } = replays;
  const { claimSecret, hasSecret, announce, checkWritable, stats } =
    thread.part<Pick<Store, 'claimSecret' | 'hasSecret' | 'announce' | 'checkWritable' | 'stats'>>(
      null,
    );

  return {
    generation,
    history: generation,
    clock: systemClock,
    cluster: null,
    accounts: thread.part<AccountStore>('accounts'),
    endpoints: Object.assign(endpoints, {
      async remove(key: number, now: number) {
        const removed = await remove(key, now);
        queue.onEndpointRemoved(key);
        return removed;
      },
    }),
    destinations: thread.part<DestinationStore>('destinations'),
    live: thread.part<LiveStore>('live'),
    upkeep: thread.part<UpkeepStore>('upkeep'),
    queue,
    events: Object.assign(events, {
      async appendBatch(requests: readonly CapturedRequest[], terms: ClaimTerms) {
        const packed = packRequests(requests);
        const memory = [packed.bodies.bytes.buffer];
        const args = [packed, terms];
        const appended = await thread.call<AppendedBatch>('events', 'append', args, memory);
        return queue.accept(wholeResult(requests, appended), requests);
      },
      async content(seq: number) {
        const found = await content(seq);
        return found && withBuffer(found);
      },
    }),
    replays: Object.assign(replays, {
      replay: async (...args: Parameters<ReplayStore['replay']>) =>
        queue.accept(await replay(...args)),
    }),
    claimSecret,
    hasSecret,
    announce,
    checkWritable,
    stats,
    async close() {
      queue.close();
      await thread.close();
    },
  };
}

/** Buffers arrive as the plain byte arrays that they are views of. */
function withBuffer<T extends EventContent>(content: T): T {
  const { buffer, byteOffset, byteLength } = content.body;
  return { ...content, body: Buffer.from(buffer, byteOffset, byteLength) };
}

function withBuffers(begin: RemoteQueue['begin']): RemoteQueue['begin'] {
  return async (claims, leaseUntil) =>
    (await begin(claims, leaseUntil)).map((outgoing) =>
      outgoing === null || outgoing.request === 'damaged'
        ? outgoing
        : { ...outgoing, request: withBuffer(outgoing.request) },
    );
}
