import type { User } from '../core/model.ts';
import type { UsedApiToken } from '../store/contract/api-tokens.ts';

/** The caller of an API route, and the token of the call. */
export interface Principal {
  user: User;
  /** When the token expires, Unix ms; null for an API token without an end. */
  expiresAt: number | null;
  /** The session of an access token; null for an API token. */
  sessionId: string | null;
  /** The API token; null for an access token, which has every right of its account. */
  apiToken: UsedApiToken['token'] | null;
}

/** The caller's name: the token's, or otherwise the account's email. */
export function nameOf({ apiToken, user }: Principal): string {
  return apiToken?.name ?? user.email;
}

/** Whether the caller's token may see an endpoint of its account. */
export function reaches({ apiToken }: Principal, endpointKey: number): boolean {
  const endpoints = apiToken?.endpoints ?? null;
  return endpoints === null || endpoints.some(({ key }) => key === endpointKey);
}
