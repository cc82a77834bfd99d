import type { ApiToken, User } from '../../core/model.ts';

export interface ApiTokenStore {
  /**
   * Creates a token. Returns the `endpointIds` that name no endpoint of the account: then
   * it creates nothing. Expired tokens give up their places to new ones. Throws
   * `limit_reached` if the account has `most` others.
   */
  create(token: NewApiToken, most: number): Promise<{ unknownEndpoints: string[] }>;
  /** Newest first; the first 100. A deleted endpoint is no longer among `endpointIds`. */
  list(userId: string): Promise<ApiToken[]>;
  /** Deletes a token and returns its name. Null when the account has no such token. */
  delete(userId: string, tokenId: string): Promise<string | null>;
  /**
   * The account and the rights of a token; null when unknown. Returns an expired token
   * too. Records the use of others, to the minute, if it can write: a full disk must not
   * keep anyone out.
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
