import type { CaptureResponse, Destination, Endpoint } from '../../core/model.ts';

export interface EndpointStore {
  /** Throws `limit_reached` where the account has `most` endpoints. */
  create(endpoint: Omit<Endpoint, 'key'>, most: number): Promise<Endpoint>;
  /** Newest first. */
  list(userId: string): Promise<Endpoint[]>;
  /** Null when unknown, deleted, or another account's. */
  find(userId: string, id: string): Promise<Endpoint | null>;
  /** Null when unknown or deleted; an inactive endpoint is returned. */
  findByPublicToken(publicToken: string): Promise<Endpoint | null>;
  /** Null when it was deleted meanwhile. */
  update(key: number, patch: EndpointPatch): Promise<Endpoint | null>;
  /**
   * Takes the endpoint out of every read at once and ends its deliveries; its
   * rows go later (`upkeep.purgeSlice`). False when it was gone already.
   */
  remove(key: number, now: number): Promise<boolean>;

  /**
   * Events captured from now on go to it. Null when the endpoint was deleted meanwhile.
   * Throws `limit_reached` where the endpoint has `most` destinations.
   */
  addDestination(
    endpointKey: number,
    destination: Omit<Destination, 'key'>,
    most: number,
  ): Promise<Destination | null>;
  /** Newest first, without removed ones. */
  listDestinations(endpointKey: number): Promise<Destination[]>;
  /**
   * No new events go to it. Its open deliveries run to their end, or are all
   * cancelled with `cancelPending` (some a little earlier: there may be a million). False when there is no such destination.
   */
  removeDestination(
    endpointKey: number,
    destinationId: string,
    now: number,
    cancelPending: boolean,
  ): Promise<boolean>;
}

export interface EndpointPatch {
  name?: string;
  isActive?: boolean;
  response?: CaptureResponse | null;
}
