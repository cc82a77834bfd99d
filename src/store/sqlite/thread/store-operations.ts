import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import type { AccountStore } from '../../contract/accounts.ts';
import type { ApiTokenStore } from '../../contract/api-tokens.ts';
import type { AuditStore } from '../../contract/audit.ts';
import type { ChannelStore } from '../../contract/channels.ts';
import type { ClaimedDelivery, ClaimTerms } from '../../contract/claims.ts';
import type { DeliveryStore } from '../../contract/deliveries.ts';
import type { DestinationStore } from '../../contract/destinations.ts';
import type { EndpointStore } from '../../contract/endpoints.ts';
import type { EventStore } from '../../contract/events.ts';
import type { IssueStore } from '../../contract/issues.ts';
import type { LiveStore } from '../../contract/live.ts';
import type { OutgoingRequest, QueueStore } from '../../contract/queue.ts';
import type { RejectedStore } from '../../contract/rejected.ts';
import type { ReplayStore } from '../../contract/replays.ts';
import type { Store } from '../../contract/store.ts';
import type { TypeStore } from '../../contract/types.ts';
import type { UpkeepStore } from '../../contract/upkeep.ts';
import type { AppendedBatch } from '../writing/append-result.ts';
import type { ClaimRef } from '../writing/queue/claims.ts';
import type { PrefetchBounds } from '../writing/queue/outgoing-requests.ts';
import type { Recordable, SettleResult } from '../writing/queue/settle-result.ts';
import type { PackedRequests } from './append-message.ts';
import type { JoinedBodies } from './joined-bodies.ts';

/**
 * All operations of the store's thread. The main thread calls them through
 * `StoreThread`; `thread-operations.ts` runs them. An operation that can be cancelled takes
 * an `AbortSignal` as its last argument.
 */
export interface StoreOperations {
  store: Pick<
    Store,
    'claimSecret' | 'hasSecret' | 'announce' | 'checkWritable' | 'stats' | 'close'
  >;
  accounts: AccountStore;
  apiTokens: ApiTokenStore;
  audit: AuditStore;
  endpoints: EndpointStore;
  destinations: DestinationStore;
  deliveries: DeliveryStore;
  events: Omit<EventStore, 'appendBatch'>;
  rejected: RejectedStore;
  replays: ReplayStore;
  live: LiveStore;
  issues: IssueStore;
  channels: ChannelStore;
  types: TypeStore;
  queue: RemoteQueue;
  upkeep: UpkeepStore;
  packed: PackedOperations;
}

/** The queue's operations. Claims and attempts cross as far as the other side needs them. */
export interface RemoteQueue extends Pick<QueueStore, 'begin' | 'nextDueAt' | 'shiftDue'> {
  renew(claims: readonly ClaimRef[], leaseUntil: number): Promise<void>;
  release(claims: readonly ClaimRef[]): Promise<void>;
  /** `QueueStore.settle`, answering what only the store knows. */
  record(settlements: readonly Recordable[], breaker: BreakerTerms): Promise<SettleResult[]>;
}

/** Operations whose bodies cross in one piece of memory. */
export interface PackedOperations {
  /** `EventStore.appendBatch`. */
  append(requests: PackedRequests, terms: ClaimTerms): Promise<AppendedBatch>;
  /** `QueueStore.claimDue`, with the requests of the first claims as far as the bounds allow. */
  claimWithRequests(
    now: number,
    terms: ClaimTerms & { perDestination: number },
    bounds: PrefetchBounds,
  ): Promise<PackedClaims>;
}

export interface PackedClaims {
  claimed: ClaimedDelivery[];
  /** Requests of some of the claims. */
  requests: (Omit<OutgoingRequest, 'body'> & { deliveryId: string })[];
  bodies: JoinedBodies;
}

/** Names one operation in a message. */
export type OperationName = {
  [Part in keyof StoreOperations]: `${Part}.${keyof StoreOperations[Part] & string}`;
}[keyof StoreOperations];
