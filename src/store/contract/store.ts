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
 * The store contract. Every method is one whole operation: it happens entirely,
 * durably (fsynced before its promise resolves) and atomically, or it throws
 * and nothing happened. No transaction leaks out. Times are parameters, read from
 * `clock`.
 *
 * Errors: methods throw the `HookrelayError`s that they name. Every write may throw
 * `storage_full` and `overloaded`. If the data is in another process, every method may
 * throw `storage_unavailable`. Only that error leaves open whether a write happened:
 * the connection may break during the commit. Any other error is a fault of the
 * backend.
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
  /** What several processes on the same data share; null for a backend with one process. */
  readonly cluster: ClusterStore | null;
  /**
   * The clock of all operations. If several processes share the data, this is the
   * database's clock: a lease must end for all of them at once.
   */
  readonly clock: WakingClock;
  /** Random id of this database. A new or restored database gets another. */
  readonly generation: string;
  /**
   * Id of the current history. Within a history each sequence number is given out only
   * once. The history changes with the generation; if several processes share the data,
   * it also changes while they run.
   */
  readonly history: string;
  /**
   * Records the check value of the server's secret in a new database. False when the
   * database has another secret's value: data sealed with that secret can't be opened
   * with this one.
   */
  claimSecret(checkValue: string): Promise<boolean>;
  /** Whether a secret's check value is recorded: sealed data needs that secret. */
  hasSecret(): Promise<boolean>;
  /**
   * Records the server's URL on its own machine, for commands that run there. A failure
   * is only logged. If several machines share the data, nothing is recorded.
   */
  announce(url: string): Promise<void>;
  /** Resolves when a durable write works now; throws the error that prevents it. */
  checkWritable(): Promise<void>;
  stats(now: number): Promise<StoreStats>;
  /** Finishes the operations under way, ends the workers, checkpoints and closes. */
  close(): Promise<void>;
}

export interface StoreStats {
  /** Open deliveries. */
  pending: number;
  /** Open deliveries that are due. */
  due: number;
  /** How long the oldest due delivery has waited, ms. */
  oldestDueMs: number;
  /** Events that aren't in the search index yet; searches scan them. */
  indexLag: number;
  /** Issues that are `open`, by kind. A kind without one is missing. */
  openIssues: Partial<Record<IssueKind, number>>;
  databaseBytes: number;
  walBytes: number;
}
