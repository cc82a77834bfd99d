import type { ApiToken, User } from '../../core/model.ts';

export interface ApiTokenStore {
  /**
   * Creates a token. If some of its `endpointIds` name no endpoint of the account, it creates
   * nothing and returns them as `unknownEndpoints`. If the account has `most` other tokens, it
   * first deletes the expired ones. Throws `limit_reached` if `most` are left.
   */
  create(token: NewApiToken, most: number): Promise<{ unknownEndpoints: string[] }>;
  /** Returns the newest 100 tokens, newest first. `endpointIds` leaves out deleted endpoints. */
  list(userId: string): Promise<ApiToken[]>;
  /** Deletes a token and returns its name. Returns null if the account has no such token. */
  delete(userId: string, tokenId: string): Promise<string | null>;
  /**
   * Returns the account and the rights of a token, or null if no token has this hash. Returns an
   * expired token too.
   *
   * Records the use of a valid token, to the minute. Ignores a failure to write the record, because
   * a full disk must not keep anyone out.
   */
  use(hash: Uint8Array, now: number): Promise<UsedApiToken | null>;
}

export interface NewApiToken extends ApiToken {
  userId: string;
  hash: Uint8Array;
}

export interface UsedApiToken {
  user: User;
  token: Pick<ApiToken, 'id' | 'name' | 'scopes' | 'expiresAt'> & {
    /** The only endpoints that the token sees, oldest first; null for all. */
    endpoints: { key: number; id: string }[] | null;
  };
}
