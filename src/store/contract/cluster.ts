import type { HookrelayError } from '../../core/errors.ts';
import type { EventSummary } from '../../core/model.ts';
import type { AllowanceStore } from './accounts.ts';
import type { LivePosition } from './live.ts';
import type { SettledAttempt } from './queue.ts';

/**
 * What nodes share: processes on the same data. Their signals only say that something
 * changed; the tables have the facts. If a signal is lost, a node notices the change at its
 * next regular look at the tables.
 */
export interface ClusterStore {
  /** The name of this node. */
  readonly node: string;
  readonly feed: FeedStore;
  /** The allowances that all nodes count together. */
  readonly allowances: AllowanceStore;
  /**
   * Gives back this node's slots of fixed concurrencies, except those of attempts under way:
   * `kept`, by destination key.
   */
  giveSlotsBack(kept: ReadonlyMap<number, number>): Promise<void>;
  /** Calls `listener` with the other nodes' signals. Returns the function that ends it. */
  subscribe(listener: (signal: StoreSignal) => void): () => void;
  /** Sends a signal to the other nodes, after a short delay. */
  send(signal: StoreSignal): void;
}

export type StoreSignal =
  /** Events or attempts were committed. */
  | { kind: 'committed' }
  /** Unclaimed deliveries of these destinations are due; null: perhaps of any. */
  | { kind: 'due'; destinationKeys: ReadonlySet<number> | null }
  /** The settings or the flow of these destinations changed; null: perhaps of any. */
  | { kind: 'changed'; destinationKeys: ReadonlySet<number> | null }
  /** This node may have missed signals. Never sent. */
  | { kind: 'resumed' }
  /**
   * `Store.history` changed. Never sent. Everything up to `horizon` can be read, and nobody
   * has read from the new history yet.
   */
  | { kind: 'history'; horizon: LivePosition }
  /**
   * A newer node upgraded the schema to one that this node can't use (`schema_newer`). This
   * node must end. Never sent.
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
  /** The items are complete up to here: the next read continues from it. */
  position: LivePosition;
  /** When to read again: at once, when the open transactions have ended, or at the next signal. */
  more: 'now' | 'soon' | 'no';
}

export interface FeedStore {
  /**
   * The watched events and attempts after a position, of all nodes, in order, at most `limit`
   * of each kind. There are no gaps: nothing appears later at or below the returned
   * position.
   */
  read(after: LivePosition, watch: FeedWatch, limit: number): Promise<FeedItems>;
}
