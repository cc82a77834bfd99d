import type { TokenScope } from '../../core/model.ts';

export interface ApiToken {
  id: string;
  name: string;
  scopes: TokenScope[];
  /** The only endpoints that the token sees; null for all. */
  endpoint_ids: string[] | null;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}
