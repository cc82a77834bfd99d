import type { RejectedRequest } from '../../core/model.ts';
import type { EventContent } from './events.ts';

/**
 * Requests that enforced sources refused. `EventStore.appendBatch` stores them, within the
 * limits of `core/proof/rejected-limits.ts`, and takes away those that are accepted.
 */
export interface RejectedStore {
  /** Newest first, with their number. */
  list(endpointKey: number, window: RejectedWindow): Promise<RejectedPage>;
  /** Null when the endpoint has no such request. */
  find(
    endpointKey: number,
    id: string,
  ): Promise<{ rejected: RejectedRequest; content: EventContent } | null>;
}

export interface RejectedWindow {
  offset: number;
  limit: number;
}

export interface RejectedPage {
  rejected: RejectedRequest[];
  total: number;
}
