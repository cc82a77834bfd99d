import type { RejectedRequest } from '../../core/model.ts';
import type { EventContent } from './events.ts';

/**
 * Requests that failed the verification of an enforced source. `EventStore.appendBatch` stores them
 * within the limits of `core/proof/rejected-limits.ts`. It deletes a rejected request when a person
 * accepts the request.
 */
export interface RejectedStore {
  /** Returns a page, newest first, with the total number. */
  list(endpointKey: number, window: RejectedWindow): Promise<RejectedPage>;
  /** Returns null if the endpoint has no such request. */
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
