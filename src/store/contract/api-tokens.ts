import type { ApiToken, User } from '../../core/model.ts';

export interface ApiTokenStore {
  /**
   * Creates a token. Creates nothing if some `endpointIds` aren't endpoints of the account, and
   * returns those ids as `unknownEndpoints`.
   *
   * If the account already has `most` tokens, first deletes the expired ones. Throws
   * `limit_reached` if `most` tokens remain.
   */
  create(token: NewApiToken, most: number): Promise<{ unknownEndpoints: string[] }>;
  /** Returns at most 100 tokens, newest first. `endpointIds` omits deleted endpoints. */
  list(userId: string): Promise<ApiToken[]>;
  /** Deletes a token and returns its name. Returns null if the account has no such token. */
  delete(userId: string, tokenId: string): Promise<string | null>;
  /**
   * Returns a token's account and rights. Returns null for an unknown hash. Also returns expired
   * tokens.
   *
   * Records the use of a valid token, to the minute. Ignores a failed write, because a full disk
   * must not block API access.
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
    /** The only endpoints that the token may access, oldest first; null for all. */
    endpoints: { key: number; id: string }[] | null;
  };
}
