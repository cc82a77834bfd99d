import type { MessagePort } from 'node:worker_threads';
import type { BreakerTerms } from '../../../core/flow/breaker-terms.ts';
import type { WorkerName } from '../../../core/runtime/resource.ts';
import type { LogFields, Logger } from '../../../core/runtime/runtime.ts';
import type { Ways } from '../../../core/threads/crossing.ts';
import type { FailureMessage } from '../../../core/threads/failure-message.ts';
import type { ClaimedDelivery, ClaimTerms, DueTerms } from '../../contract/claims.ts';
import type { Outgoing, OutgoingRequest, QueueStore } from '../../contract/queue.ts';
import type { AppendedBatch } from '../capture/append-result.ts';
import type { ClaimRef } from '../queue/claims.ts';
import type { PrefetchBounds } from '../queue/outgoing-requests.ts';
import type { Recordable, SettleResult } from '../queue/settle-result.ts';
import { READS, type Reads, type StoreParts, type Writes } from '../reader-thread/reads.ts';
import type { JoinedBodies } from '../threads/joined-bodies.ts';
import { contentMemory, revivedContent, shapeMemory } from '../threads/moved-memory.ts';
import type { PackedRequests } from './append-message.ts';

/**
 * The functions that the main thread calls in the store's thread. These are the contract's
 * operations, except the reads (`reads.ts`), plus the groups listed below. A new operation of the
 * contract is included by its type, unless it belongs to the queue.
 */
export interface StoreFunctions
  extends Omit<{ [Part in keyof StoreParts]: Writes<Part> }, 'events' | 'queue'> {
  events: Omit<Writes<'events'>, 'appendBatch'>;
  claims: ClaimFunctions;
  packed: PackedFunctions;
  indexer: {
    /** Call it if a reader has found that the index file with this inode is broken. */
    rebuild(inode: number): void;
  };
  threads: {
    /** Reports the end of a thread that `MainFunctions` started. */
    ended(id: number, error: FailureMessage | null): void;
    /** Ends the thread. Close the store first. */
    end(): void;
  };
}

/** The operations of the queue. Only the needed parts of claims and attempts cross threads. */
interface ClaimFunctions extends Pick<QueueStore, 'begin' | 'nextDueAt' | 'shiftDue'> {
  renew(claims: readonly ClaimRef[], leaseUntil: number): Promise<void>;
  release(claims: readonly ClaimRef[]): Promise<void>;
  /** See `QueueStore.settle`. Returns only what the caller can't know. */
  record(settlements: readonly Recordable[], breaker: BreakerTerms): Promise<SettleResult[]>;
}

/** Operations that send all their bodies to the other thread in one piece of memory. */
interface PackedFunctions {
  /** See `EventStore.appendBatch`. */
  append(requests: PackedRequests, terms: ClaimTerms): Promise<AppendedBatch>;
  /** See `QueueStore.claimDue`. Adds the requests of claims while the bounds allow. */
  claimWithRequests(now: number, terms: DueTerms, bounds: PrefetchBounds): Promise<PackedClaims>;
}

export interface PackedClaims {
  claimed: ClaimedDelivery[];
  /** The requests of some of the claims. */
  requests: (Omit<OutgoingRequest, 'body'> & { deliveryId: string })[];
  bodies: JoinedBodies;
}

export const STORE_WAYS: Ways<StoreFunctions> = {
  events: {
    content: {
      moveAnswer: (content) => (content ? contentMemory(content) : []),
      revive: (content) => content && revivedContent(content),
    },
  },
  rejected: {
    find: {
      moveAnswer: (found) => (found ? contentMemory(found.content) : []),
      revive: (found) => found && { ...found, content: revivedContent(found.content) },
    },
  },
  types: { find: { moveAnswer: (type) => (type ? shapeMemory([type]) : []) } },
  claims: {
    begin: {
      moveAnswer: (begun) =>
        begun.flatMap((outgoing) => (isReadable(outgoing) ? contentMemory(outgoing.request) : [])),
      revive: (begun) =>
        begun.map((outgoing) =>
          isReadable(outgoing)
            ? { ...outgoing, request: revivedContent(outgoing.request) }
            : outgoing,
        ),
    },
  },
  packed: {
    append: { moveArguments: ({ bodies }) => [bodies.bytes.buffer] },
    claimWithRequests: { moveAnswer: ({ bodies }) => [bodies.bytes.buffer] },
  },
};

function isReadable(
  outgoing: Outgoing | null,
): outgoing is Outgoing & { request: OutgoingRequest } {
  return outgoing !== null && outgoing.request !== 'damaged';
}

/** The functions that the store's thread calls in the main thread, where the reader is. */
export interface MainFunctions extends Reads {
  reader: { close(): Promise<void> };
  main: {
    opened(generation: string): void;
    /** Reports that the store can't be opened. */
    refused(error: FailureMessage): void;
    fatal(error: FailureMessage): void;
    log(level: keyof Logger, message: string, fields: LogFields, error: FailureMessage): void;
    claimsDropped(deliveryIds: string[]): void;
    startWorker(id: number, name: WorkerName, workerData: object, port: MessagePort): void;
  };
}

export const MAIN_WAYS: Ways<MainFunctions> = {
  ...READS,
  main: { startWorker: { moveArguments: (_id, _name, _workerData, port) => [port] } },
};
