import type { User } from '../core/model.ts';
import type { UsedApiToken } from '../store/contract/api-tokens.ts';

/** The caller of an API route, and the token of the call. */
export interface Principal {
  user: User;
  /** When the token expires, Unix ms. Null for an API token that doesn't expire. */
  expiresAt: number | null;
  /** The session of an access token. Null for an API token. */
  sessionId: string | null;
  /** The API token. Null for an access token, which has every right of its account. */
  apiToken: UsedApiToken['token'] | null;
}

/** Returns the name of the caller: the name of its API token, or otherwise the account's email. */
export function nameOf({ apiToken, user }: Principal): string {
  return apiToken?.name ?? user.email;
}

/** Returns whether the caller's token may see an endpoint of the account. */
export function reaches({ apiToken }: Principal, endpointKey: number): boolean {
  const endpoints = apiToken?.endpoints ?? null;
  return endpoints === null || endpoints.some(({ key }) => key === endpointKey);
}
