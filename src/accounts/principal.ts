import type { User } from '../core/model.ts';

/** The caller of an API route, and the token of the call. */
export interface Principal {
  user: User;
  /** When the token expires, Unix ms; null for an API token. */
  expiresAt: number | null;
  /** The session of an access token; null for an API token. */
  sessionId: string | null;
}
