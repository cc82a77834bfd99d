import type { RejectedRequest } from '../../core/model.ts';
import type { EventContent } from './events.ts';

/** Most rejected requests of an endpoint that are kept: the newest. */
export const MOST_REJECTED = 1000;
/** Most bytes of their bodies, of an endpoint. */
export const MOST_REJECTED_BYTES = 64 * 1024 * 1024;
/** Most rejected requests of an endpoint that are stored in any second. The others leave no trace. */
export const MOST_REJECTED_PER_S = 20;

/**
 * Requests that enforced sources refused. `EventStore.appendBatch` stores them, within the
 * limits above, and takes away those that are accepted.
 */
export interface RejectedStore {
  /** Newest first, with their number. */
  list(
    endpointKey: number,
    window: { offset: number; limit: number },
  ): Promise<{ rejected: RejectedRequest[]; total: number }>;
  /** Null when the endpoint has no such request. */
  find(
    endpointKey: number,
    id: string,
  ): Promise<{ rejected: RejectedRequest; content: EventContent } | null>;
}
