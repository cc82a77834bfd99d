import type { CaptureResponse, Endpoint } from '../../core/model.ts';

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
}

export interface EndpointPatch {
  name?: string;
  isActive?: boolean;
  response?: CaptureResponse | null;
}
