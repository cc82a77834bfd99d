import type { EventSummary } from '../../core/model.ts';
import type { AllowanceStore } from './accounts.ts';
import type { LivePosition } from './live.ts';
import type { SettledAttempt } from './queue.ts';

/**
 * Several processes on the same data, each a node. They tell each other that
 * something happened, not what: the tables are the truth, and a signal that is
 * lost costs the time until a node looks there anyway.
 */
export interface ClusterStore {
  /** Names this process among the nodes. */
  readonly node: string;
  readonly feed: FeedStore;
  /** Tries that the nodes count together. */
  readonly allowances: AllowanceStore;
  /** Hears the other nodes' signals. Returns what ends it. */
  subscribe(listener: (signal: StoreSignal) => void): () => void;
  /** Tells the other nodes, soon. */
  send(signal: StoreSignal): void;
}

export type StoreSignal =
  /** Events or attempts were committed. */
  | { kind: 'committed' }
  /** Deliveries that nobody has claimed are due; null: of whatever destinations. */
  | { kind: 'due'; destinationKeys: ReadonlySet<number> | null }
  /** Signals may have been missed; never sent. */
  | { kind: 'resumed' }
  /**
   * `Store.history` is another one now; never sent. Everything up to `horizon` can be
   * read, and nobody has read from it yet.
   */
  | { kind: 'history'; horizon: LivePosition };

/** Whose events and attempts somebody follows. */
export interface FeedWatch {
  userIds: string[];
  endpointKeys: number[];
}

export interface FeedItems {
  events: { event: EventSummary; userId: string; endpointKey: number }[];
  attempts: SettledAttempt[];
  /** What there is up to here is told: where to go on. */
  position: LivePosition;
  /** Whether there is more: at once, once what is being committed is, or with the next signal. */
  more: 'now' | 'soon' | 'no';
}

export interface FeedStore {
  /**
   * What any node committed after a position, of those watched, in order, and at
   * most `limit` of each kind. Without gaps: nothing appears later at or below
   * the position that it answers.
   */
  read(after: LivePosition, watch: FeedWatch, limit: number): Promise<FeedItems>;
}
