import type { Endpoint } from '../../core/model.ts';
import type { Source } from '../../core/proof/source.ts';
import type { EndpointSettings } from '../../core/settings/endpoint-settings.ts';

export interface EndpointStore {
  /** Throws `limit_reached` if the account has `most` endpoints. */
  create(endpoint: Omit<Endpoint, 'key'>, most: number): Promise<Endpoint>;
  /** Returns the account's endpoints, newest first. */
  list(userId: string): Promise<Endpoint[]>;
  /** Returns null if the endpoint is unknown, deleted, or another account's. */
  find(userId: string, id: string): Promise<Endpoint | null>;
  /** Returns null if the endpoint is unknown or deleted. Also returns an inactive endpoint. */
  findByPublicToken(publicToken: string): Promise<Endpoint | null>;
  /**
   * Updates an endpoint. Returns null if it is deleted. Returns `changed`, and changes nothing, if
   * the source or the dedupe settings differ from `before`.
   *
   * @param before the state on which the patch is based
   */
  update(
    key: number,
    patch: EndpointPatch,
    before?: Pick<Endpoint, 'source' | 'settings'>,
  ): Promise<Endpoint | 'changed' | null>;
  /**
   * Hides the endpoint from every read at once, and ends its deliveries. `UpkeepStore.purgeSlice`
   * deletes its rows later. Returns false if the endpoint was already deleted.
   */
  remove(key: number, now: number): Promise<boolean>;
  /**
   * Returns the most frequent provider among the newest 20 events of each endpoint, by endpoint
   * key. Reads only headers. Omits endpoints whose events show no provider.
   */
  guesses(keys: readonly number[]): Promise<Map<number, string>>;
}

/** If `expect_every` changes, the time without events counts from `now`. */
export type EndpointPatch = { source?: Source | null } & (
  | { settings?: never }
  | { settings: Partial<EndpointSettings>; now: number }
);
