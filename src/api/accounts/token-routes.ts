import type { Accounts } from '../../accounts/accounts.ts';
import type { ApiToken } from '../../core/model.ts';
import { changesBetween } from '../audit-note.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { type Route, routesOf } from '../route.ts';
import type * as api from './api-token-answer.ts';
import { TOKEN_CALLS } from './token-calls.ts';

/** Routes of the account's API tokens. */
export function tokenRoutes({ tokens }: Accounts): Route[] {
  return routesOf(TOKEN_CALLS, {
    'GET /api/tokens': async ({ principal }) =>
      (await tokens.list(principal.user.id)).map(tokenView),
    async 'POST /api/tokens'({ principal, body, record }) {
      const created = await tokens.create(principal.user.id, body.name, {
        scopes: body.scopes,
        endpointIds: body.endpoint_ids,
        expiresInMs: body.expires_in,
      });
      const view = tokenView(created);
      const { scopes, endpoint_ids, expires_at } = view;
      record({
        target: { type: 'token', id: created.id, name: created.name },
        changes: changesBetween(null, { scopes, endpoint_ids, expires_at }),
      });
      return { ...view, token: created.token };
    },
    async 'DELETE /api/tokens/{tokenId}'({ principal, params, record }) {
      const id = params.tokenId;
      const name = await tokens.revoke(principal.user.id, id);
      record({ target: { type: 'token', id, name } });
    },
  });
}

function tokenView(token: ApiToken): api.ApiTokenAnswer {
  return {
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    endpoint_ids: token.endpointIds && [...token.endpointIds],
    created_at: isoTime(token.createdAt),
    last_used_at: isoTimeOrNull(token.lastUsedAt),
    expires_at: isoTimeOrNull(token.expiresAt),
  };
}
