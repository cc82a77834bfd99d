import type { WakingClock } from '../../core/runtime.ts';
import type { AccountStore } from './accounts.ts';
import type { ClusterStore } from './cluster.ts';
import type { DestinationStore } from './destinations.ts';
import type { EndpointStore } from './endpoints.ts';
import type { EventStore } from './events.ts';
import type { LiveStore } from './live.ts';
import type { QueueStore } from './queue.ts';
import type { ReplayStore } from './replays.ts';
import type { UpkeepStore } from './upkeep.ts';

/**
 * The store contract. Every method is one whole operation: it happens entirely,
 * durably (fsynced before its promise resolves) and atomically, or it throws
 * and nothing happened. No transaction leaks out. Time comes in as a parameter,
 * and is that of `clock`.
 *
 * Errors: `HookrelayError` where a method says so, with `storage_full` and
 * `overloaded` possible on every write, and, where the data is in another
 * process, `storage_unavailable` on everything. That one alone leaves open
 * whether a write happened: the connection may break while it is committed.
 * Anything else is a fault of the backend.
 *
 * One conformance suite (`test/store/conformance.ts`) runs against every backend.
 */
export interface Store {
  readonly accounts: AccountStore;
  readonly endpoints: EndpointStore;
  readonly destinations: DestinationStore;
  readonly events: EventStore;
  readonly replays: ReplayStore;
  readonly live: LiveStore;
  readonly queue: QueueStore;
  readonly upkeep: UpkeepStore;
  /** What ties several processes together; null where one has the data to itself. */
  readonly cluster: ClusterStore | null;
  /**
   * The time that operations go by. Where several processes share the data, it is
   * that of the database: a lease must end for all of them at once.
   */
  readonly clock: WakingClock;
  /** Random id of this database; a restored or new one has another. */
  readonly generation: string;
  /**
   * Names the history in which sequence numbers are counted now: they are never given
   * out twice in it. It changes with the generation, and where several processes share
   * the data, also while they run.
   */
  readonly history: string;
  /**
   * Notes the check value of the server's secret in a new database. False when
   * another secret's is noted: what was sealed with it can't be opened with this.
   */
  claimSecret(checkValue: string): Promise<boolean>;
  /** Whether a secret was noted: what was sealed with it needs that one. */
  hasSecret(): Promise<boolean>;
  /**
   * Notes where a server on this store is reached from its own machine, for
   * commands beside it. A note that can't be made is logged. Where several
   * machines share the data, nothing is noted.
   */
  announce(url: string): Promise<void>;
  /** Resolves when a durable write works now; throws what stops it. */
  checkWritable(): Promise<void>;
  stats(now: number): Promise<StoreStats>;
  /** Ends workers, checkpoints, closes. Operations under way are finished first. */
  close(): Promise<void>;
}

export interface StoreStats {
  /** Deliveries still open. */
  pending: number;
  /** Open deliveries whose time has come. */
  due: number;
  /** How long the oldest due delivery has waited, ms. */
  oldestDueMs: number;
  /** Events that the search index doesn't hold yet (they are scanned instead). */
  indexLag: number;
  databaseBytes: number;
  walBytes: number;
}
