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
   * Null if the endpoint is deleted. `changed` if its source or its dedupe are no longer
   * those of `before`, from which the caller made the patch.
   */
  update(
    key: number,
    patch: EndpointPatch,
    before?: Pick<Endpoint, 'source' | 'settings'>,
  ): Promise<Endpoint | 'changed' | null>;
  /**
   * Hides the endpoint from every read at once, and ends its deliveries. Later
   * `upkeep.purgeSlice` deletes its rows. False if it was deleted before.
   */
  remove(key: number, now: number): Promise<boolean>;
  /**
   * The most frequent provider among each endpoint's newest 20 events, by endpoint key. Only
   * headers count. Leaves out endpoints whose events show no provider.
   */
  guesses(keys: readonly number[]): Promise<Map<number, string>>;
}

/** If `expect_every` changes, silence counts from `now` on. */
export type EndpointPatch = { source?: Source | null } & (
  | { settings?: never }
  | { settings: Partial<EndpointSettings>; now: number }
);
