import type { CloseStack } from '../core/runtime/close-stack.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { Live } from '../live/live.ts';
import { LiveFeed } from '../live/live-feed.ts';
import type { AppendResult } from '../store/contract/events.ts';
import type { LivePosition } from '../store/contract/live.ts';
import type { SettledAttempt } from '../store/contract/queue.ts';
import type { Store } from '../store/contract/store.ts';

export interface LiveParts {
  live: Live;
  /** Waits until all known commits are published. Resolves to the position of the last one. */
  published(): Promise<LivePosition>;
  onCommitted(results: readonly AppendResult[]): void;
  onSettled(settled: readonly SettledAttempt[]): void;
  start(): void;
}

/**
 * Composes the live streams of this node. A single node publishes its commits directly. In a
 * cluster, the feed publishes the commits of all nodes, in the order of the tables. Each commit
 * wakes the feeds of all nodes.
 */
export async function composeLive(
  store: Store,
  log: Logger,
  opened: CloseStack,
): Promise<LiveParts> {
  const { cluster } = store;
  const position = await store.live.lastSequences();
  const live = new Live(position);
  if (!cluster) {
    return {
      live,
      published: () => store.live.lastSequences(),
      onCommitted: (results) => live.publishEvents(results),
      onSettled: (settled) => live.publishAttempts(settled),
      start() {},
    };
  }

  const feed = new LiveFeed({ feed: cluster.feed, live, position, log });
  opened.defer(() => feed.stop());
  const unsubscribe = cluster.subscribe((signal) => {
    if (signal.kind === 'history') {
      live.restart(signal.horizon);
      feed.restart(signal.horizon);
    }
    if (signal.kind !== 'due' && signal.kind !== 'changed') feed.wake();
  });
  opened.defer(unsubscribe);
  const wakeAll = () => {
    feed.wake();
    cluster.send({ kind: 'committed' });
  };
  return {
    live,
    async published() {
      await feed.published();
      return store.live.lastSequences();
    },
    onCommitted: wakeAll,
    onSettled: wakeAll,
    start: () => feed.start(),
  };
}
