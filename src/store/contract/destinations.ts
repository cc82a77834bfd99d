import type { Destination } from '../../core/model.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/**
 * The destinations of endpoints.
 *
 * A change takes effect before its promise resolves. Attempts carry no older settings:
 * `QueueStore.begin` reads the destination's row for each attempt, on every node.
 *
 * Captures read an endpoint's destinations inside their commit. Each change here,
 * and each `EndpointStore.update`, adds 1 to `endpoints.settings_version` in its own
 * transaction. Settings that are applied before the commit (filters, order keys,
 * sources, dedupe paths) build on that number:
 *
 * 1. A receiving thread caches an endpoint's settings and its destinations' with the
 *    `settings_version` that it read first.
 * 2. `CapturedRequest` gets an optional `judgedAt`, the version of the settings that
 *    gave the verdict. A request that needs no verdict leaves it out.
 * 3. `appendBatch` reads `settings_version` with the endpoint's row (`#target` in
 *    SQLite; in PostgreSQL after it has passed the gate, which changes here close)
 *    and answers `{ stored: false, reason: 'stale' }` if `judgedAt` is another number.
 * 4. `commitRequest` drops the cached settings, judges the request again and commits again.
 */
export interface DestinationStore {
  /**
   * Adds a destination, which gets the events captured from now on. Null when the
   * endpoint was deleted meanwhile. Throws `limit_reached` if the endpoint has `most`
   * destinations.
   */
  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null>;
  /** Null when the endpoint has no such destination or the destination was removed. */
  get(endpointKey: number, destinationId: string): Promise<Destination | null>;
  /** Newest first, without removed ones. */
  list(endpointKey: number): Promise<Destination[]>;
  /**
   * Changes what the patch names. Attempts that begin after the promise resolves use
   * the change, also for deliveries that were claimed before. Null like `get`.
   */
  update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
  ): Promise<Destination | null>;
  /**
   * Removes a destination: it gets no new events. Its open deliveries run to their end;
   * with `cancelPending` they are all cancelled (some a little earlier: there may be a
   * million). False when there is no such destination.
   */
  remove(
    endpointKey: number,
    destinationId: string,
    now: number,
    cancelPending: boolean,
  ): Promise<boolean>;
}

export type NewDestination = Omit<Destination, 'key' | 'version'>;

export interface DestinationPatch {
  url?: string;
  sealedSecret?: Uint8Array | null;
  /** Valid values. A setting that is left out doesn't change. */
  settings?: Partial<DestinationSettings>;
}
