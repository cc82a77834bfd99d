import type { Destination } from '../../core/model.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/**
 * Where an endpoint's events go.
 *
 * A change counts once it is answered. Attempts carry no settings from earlier:
 * `QueueStore.begin` reads the destination's row for each attempt, on every node.
 *
 * Captures read an endpoint's destinations inside their commit. Each change here,
 * and each `EndpointStore.update`, adds 1 to `endpoints.settings_version` in its own
 * transaction. Settings that are judged before the commit (filters, order keys,
 * sources, dedupe paths) build on that number:
 *
 * 1. A receiving thread caches an endpoint's settings and its destinations' with the
 *    `settings_version` that it read first.
 * 2. `CapturedRequest` gets an optional `judgedAt`, the version that the verdict is
 *    by. A request that needs no verdict leaves it out.
 * 3. `appendBatch` reads `settings_version` with the endpoint's row (`#target` in
 *    SQLite; past the gate in PostgreSQL, which changes here close) and answers
 *    `{ stored: false, reason: 'stale' }` where `judgedAt` is another number.
 * 4. `commitRequest` drops the cached settings, judges the request again and commits again.
 */
export interface DestinationStore {
  /**
   * Events captured from now on go to it. Null when the endpoint was deleted meanwhile.
   * Throws `limit_reached` where the endpoint has `most` destinations.
   */
  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null>;
  /** Null when the endpoint has no such destination, or it was removed. */
  get(endpointKey: number, destinationId: string): Promise<Destination | null>;
  /** Newest first, without removed ones. */
  list(endpointKey: number): Promise<Destination[]>;
  /**
   * Changes what the patch names. Attempts that begin after the answer use it, also
   * those of deliveries that were claimed before. Null like `get`.
   */
  update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
  ): Promise<Destination | null>;
  /**
   * No new events go to it. Its open deliveries run to their end, or are all
   * cancelled with `cancelPending` (some a little earlier: there may be a million). False when there is no such destination.
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
  /** Valid values; a setting that is left out stays as it is. */
  settings?: Partial<DestinationSettings>;
}
