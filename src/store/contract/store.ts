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
 * Only after that error, a write may or may not have happened, because the connection may break
 * during the commit. Any other error is a fault of the backend.
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
  /** What nodes on the same data share. Null if the backend allows only one process. */
  readonly cluster: ClusterStore | null;
  /**
   * The clock of all operations. If several nodes share the data, this is the database's clock, so
   * that a lease ends for all nodes at the same time.
   */
  readonly clock: WakingClock;
  /** A random id of this database. A restored database gets a new one. */
  readonly generation: string;
  /**
   * The id of the current history, within which each sequence number is used only once. It changes
   * with the generation. If several nodes share the data, it may also change while they run.
   */
  readonly history: string;
  /**
   * Records the check value of the server's secret in a new database. Returns false if the database
   * has another check value, because another secret sealed its data.
   */
  claimSecret(checkValue: string): Promise<boolean>;
  hasSecret(): Promise<boolean>;
  /**
   * Records the server's URL for commands on the same machine. Only logs a failure. Does nothing if
   * several machines may share the data.
   */
  announce(url: string): Promise<void>;
  /** Tests a durable write. Throws the error that prevents it. */
  checkWritable(): Promise<void>;
  stats(now: number): Promise<StoreStats>;
  /** Finishes running operations, ends the workers, checkpoints and closes the data. */
  close(): Promise<void>;
}

export interface StoreStats {
  /** Open deliveries. */
  pending: number;
  /** Open deliveries that are due. */
  due: number;
  /** The time that the oldest due delivery has waited, ms. */
  oldestDueMs: number;
  /** The number of events that the search index hasn't reached yet. Searches scan these events. */
  indexLag: number;
  /** The number of `open` issues by kind. Omits zeros. */
  openIssues: Partial<Record<IssueKind, number>>;
  databaseBytes: number;
  walBytes: number;
}
