import type { ApiToken, User } from '../../core/model.ts';

export interface ApiTokenStore {
  /**
   * Creates a token, unless some of its `endpointIds` name no endpoint of the account: it
   * returns those as `unknownEndpoints`. If the account has `most` other tokens, it first
   * deletes the expired ones. Throws `limit_reached` if `most` are left.
   */
  create(token: NewApiToken, most: number): Promise<{ unknownEndpoints: string[] }>;
  /** Newest first; the first 100. A deleted endpoint is no longer among `endpointIds`. */
  list(userId: string): Promise<ApiToken[]>;
  /** Deletes a token and returns its name. Null when the account has no such token. */
  delete(userId: string, tokenId: string): Promise<string | null>;
  /**
   * The account and the rights of a token; null when unknown. Also returns an expired
   * token. Records the use of a valid one, to the minute. It ignores a failure to write
   * that: a full disk must not keep anyone out.
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
