import type { HookrelayError } from '../../core/errors.ts';
import type { EventSummary } from '../../core/model.ts';
import type { AllowanceStore } from './accounts.ts';
import type { LivePosition } from './live.ts';
import type { SettledAttempt } from './queue.ts';

/**
 * What nodes share. A node is one of several processes on the same data. A signal only says that
 * something changed. The facts are in the tables, so a node that misses a signal notices the change
 * at its next regular read.
 */
export interface ClusterStore {
  /** The name of this node. */
  readonly node: string;
  readonly feed: FeedStore;
  /** The allowances that all nodes count together. */
  readonly allowances: AllowanceStore;
  /**
   * Returns this node's slots at destinations with a fixed concurrency. `kept` has the number of
   * slots that attempts still use, by destination key. The node keeps these.
   */
  giveSlotsBack(kept: ReadonlyMap<number, number>): Promise<void>;
  /** Calls `listener` with signals of other nodes. Returns a function that unsubscribes. */
  subscribe(listener: (signal: StoreSignal) => void): () => void;
  /** Sends a signal to the other nodes, after a short delay. */
  send(signal: StoreSignal): void;
}

export type StoreSignal =
  /** Events or attempts were committed. */
  | { kind: 'committed' }
  /** Unclaimed deliveries of these destinations are due. Null means any destination. */
  | { kind: 'due'; destinationKeys: ReadonlySet<number> | null }
  /** The settings or the flow of these destinations changed. Null means any destination. */
  | { kind: 'changed'; destinationKeys: ReadonlySet<number> | null }
  /** This node may have missed signals. Never sent to other nodes. */
  | { kind: 'resumed' }
  /**
   * `Store.history` changed. Never sent to other nodes. All sequence numbers up to `horizon` can be
   * read, and nobody has read from the new history yet.
   */
  | { kind: 'history'; horizon: LivePosition }
  /**
   * A newer node upgraded the schema beyond what this node supports (`schema_newer`). This node
   * must end. Never sent to other nodes.
   */
  | { kind: 'outdated'; error: HookrelayError };

/** The accounts and endpoints whose events and attempts the feed reads. */
export interface FeedWatch {
  userIds: string[];
  endpointKeys: number[];
}

export interface FeedItems {
  events: { event: EventSummary; userId: string; endpointKey: number }[];
  attempts: SettledAttempt[];
  /** The items are complete up to this position, from which the next read continues. */
  position: LivePosition;
  /**
   * When to read again: immediately (`now`), when the open transactions have ended (`soon`), or at
   * the next signal (`no`).
   */
  more: 'now' | 'soon' | 'no';
}

export interface FeedStore {
  /**
   * Returns the watched events and attempts of all nodes after a position, in order. Returns at
   * most `limit` events and `limit` attempts. Leaves no gaps: nothing appears later at or below the
   * returned position.
   */
  read(after: LivePosition, watch: FeedWatch, limit: number): Promise<FeedItems>;
}
