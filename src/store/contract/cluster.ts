import type { HookrelayError } from '../../core/errors.ts';
import type { EventSummary } from '../../core/model.ts';
import type { AllowanceStore } from './accounts.ts';
import type { LivePosition } from './live.ts';
import type { SettledAttempt } from './queue.ts';

/**
 * What nodes share. A node is one of several processes on the same data. A signal only says that
 * something changed; the tables hold the facts. A node that loses a signal notices the change at
 * its next regular look at the tables.
 */
export interface ClusterStore {
  /** The name of this node. */
  readonly node: string;
  readonly feed: FeedStore;
  /** The allowances that all nodes count together. */
  readonly allowances: AllowanceStore;
  /**
   * Gives back this node's slots at destinations with a fixed concurrency. `kept` names these
   * destinations by key, with the number of slots that attempts under way still use. The node keeps
   * that number.
   */
  giveSlotsBack(kept: ReadonlyMap<number, number>): Promise<void>;
  /** Calls `listener` with the other nodes' signals. Returns a function that stops this. */
  subscribe(listener: (signal: StoreSignal) => void): () => void;
  /** Sends a signal to the other nodes, after a short delay. */
  send(signal: StoreSignal): void;
}

export type StoreSignal =
  /** Events or attempts were committed. */
  | { kind: 'committed' }
  /**
   * Unclaimed deliveries of these destinations are due. Null means that it may be any destination.
   */
  | { kind: 'due'; destinationKeys: ReadonlySet<number> | null }
  /**
   * The settings or the flow of these destinations changed. Null means that it may be any
   * destination.
   */
  | { kind: 'changed'; destinationKeys: ReadonlySet<number> | null }
  /** This node may have missed signals. Never sent. */
  | { kind: 'resumed' }
  /**
   * `Store.history` changed. Never sent. All sequence numbers up to `horizon` can be read, and
   * nobody has read from the new history yet.
   */
  | { kind: 'history'; horizon: LivePosition }
  /**
   * A newer node upgraded the schema to one that this node can't use (`schema_newer`), so this node
   * must end. Never sent.
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
  /** The items are complete up to this position. The next read continues from it. */
  position: LivePosition;
  /**
   * When to read again: at once (`now`), when the open transactions have ended (`soon`), or at the
   * next signal (`no`).
   */
  more: 'now' | 'soon' | 'no';
}

export interface FeedStore {
  /**
   * Returns the watched events and attempts of all nodes after a position, in order: at most
   * `limit` events and at most `limit` attempts. It leaves no gaps: nothing appears later at or
   * below the returned position.
   */
  read(after: LivePosition, watch: FeedWatch, limit: number): Promise<FeedItems>;
}
