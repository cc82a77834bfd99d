import type { Endpoint } from '../../core/model.ts';
import type { Source } from '../../core/proof/source.ts';
import type { EndpointSettings } from '../../core/settings/endpoint-settings.ts';

export interface EndpointStore {
  /** Throws `limit_reached` if the account has `most` endpoints. */
  create(endpoint: Omit<Endpoint, 'key'>, most: number): Promise<Endpoint>;
  /** Newest first. */
  list(userId: string): Promise<Endpoint[]>;
  /** Null when the endpoint is unknown, deleted, or another account's. */
  find(userId: string, id: string): Promise<Endpoint | null>;
  /** Null when the endpoint is unknown or deleted. Returns an inactive endpoint too. */
  findByPublicToken(publicToken: string): Promise<Endpoint | null>;
  /**
   * Null when the endpoint was deleted meanwhile. `changed` where its source or its dedupe
   * are no longer those of `before`: the patch was made from them.
   */
  update(
    key: number,
    patch: EndpointPatch,
    before?: Pick<Endpoint, 'source' | 'settings'>,
  ): Promise<Endpoint | 'changed' | null>;
  /**
   * Hides the endpoint from every read at once and ends its deliveries.
   * `upkeep.purgeSlice` deletes its rows later. False when it was deleted before.
   */
  remove(key: number, now: number): Promise<boolean>;
  /**
   * The provider of most of each endpoint's newest 20 events, as far as their headers show
   * it, by endpoint key. Leaves out endpoints of whose events none shows one.
   */
  guesses(keys: readonly number[]): Promise<Map<number, string>>;
}

/** Names what changes. Silence counts from `now` on, where `expect_every` changes. */
export type EndpointPatch = { source?: Source | null } & (
  | { settings?: never }
  | { settings: Partial<EndpointSettings>; now: number }
);
