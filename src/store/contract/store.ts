import type { IssueKind } from '../../core/issues/issue.ts';
import type { WakingClock } from '../../core/runtime/runtime.ts';
import type { AccountStore } from './accounts.ts';
import type { ApiTokenStore } from './api-tokens.ts';
import type { AuditStore } from './audit.ts';
import type { ChannelStore } from './channels.ts';
import type { ClusterStore } from './cluster.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { DestinationStore } from './destinations.ts';
import type { EndpointStore } from './endpoints.ts';
import type { EventStore } from './events.ts';
import type { IssueStore } from './issues.ts';
import type { LiveStore } from './live.ts';
import type { QueueStore } from './queue.ts';
import type { RejectedStore } from './rejected.ts';
import type { ReplayStore } from './replays.ts';
import type { TypeStore } from './types.ts';
import type { UpkeepStore } from './upkeep.ts';

/**
 * The store contract. Every method is one operation: it happens atomically and durably (fsynced
 * before its promise resolves), or it throws and nothing happened. A caller never sees a
 * transaction. Times are parameters, which callers read from `clock`.
 *
 * Methods throw the `HookrelayError`s that they name. Every write may throw `storage_full` and
 * `overloaded`. If the data is in another process, every method may throw `storage_unavailable`.
 * Only that error leaves open whether a write happened, because the connection may break during the
 * commit. Any other error is a fault of the backend.
 *
 * One conformance suite (`test/store/conformance.ts`) runs against every backend.
 */
export interface Store {
  readonly accounts: AccountStore;
  readonly apiTokens: ApiTokenStore;
  readonly audit: AuditStore;
  readonly endpoints: EndpointStore;
  readonly destinations: DestinationStore;
  readonly deliveries: DeliveryStore;
  readonly events: EventStore;
  readonly rejected: RejectedStore;
  readonly replays: ReplayStore;
  readonly live: LiveStore;
  readonly issues: IssueStore;
  readonly channels: ChannelStore;
  readonly types: TypeStore;
  readonly queue: QueueStore;
  readonly upkeep: UpkeepStore;
  /** What several processes on the same data share. Null if the backend allows only one process. */
  readonly cluster: ClusterStore | null;
  /**
   * The clock of all operations. If several processes share the data, it is the database's clock,
   * so that a lease ends for all of them at the same time.
   */
  readonly clock: WakingClock;
  /** A random id of this database. A new or restored database gets a new one. */
  readonly generation: string;
  /**
   * The id of the current history. Within a history, each sequence number is given out only once.
   * The id changes with the generation. If several processes share the data, it may also change
   * while they run.
   */
  readonly history: string;
  /**
   * Records the check value of the server's secret in a new database. Returns false if the database
   * has the check value of another secret, because that secret sealed its data.
   */
  claimSecret(checkValue: string): Promise<boolean>;
  /** Returns whether the database has the check value of a secret. */
  hasSecret(): Promise<boolean>;
  /**
   * Records the server's URL for commands on the same machine. Only logs a failure. Does nothing if
   * several machines may share the data.
   */
  announce(url: string): Promise<void>;
  /** Makes a durable write as a test. Throws the error that prevents it. */
  checkWritable(): Promise<void>;
  stats(now: number): Promise<StoreStats>;
  /** Finishes the operations under way, ends the workers, checkpoints and closes the data. */
  close(): Promise<void>;
}

export interface StoreStats {
  /** Open deliveries. */
  pending: number;
  /** Open deliveries that are due. */
  due: number;
  /** How long the oldest due delivery has waited, ms. */
  oldestDueMs: number;
  /** How many events the search index hasn't reached yet. Searches scan them. */
  indexLag: number;
  /** The number of `open` issues by kind, without zeros. */
  openIssues: Partial<Record<IssueKind, number>>;
  databaseBytes: number;
  walBytes: number;
}
