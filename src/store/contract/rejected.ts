import type { RejectedRequest } from '../../core/model.ts';
import type { EventContent } from './events.ts';

/**
 * Requests that failed the verification of an enforced source. `EventStore.appendBatch`
 * stores them, within the limits of `core/proof/rejected-limits.ts`, and deletes those that
 * a person accepts.
 */
export interface RejectedStore {
  /** A page, newest first, and the number on all pages. */
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
