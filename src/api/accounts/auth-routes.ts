import type { Accounts } from '../../accounts/accounts.ts';
import { clientOf } from '../../accounts/client-of.ts';
import { TOKEN_SCOPES } from '../../core/model.ts';
import { accountTarget } from '../audit-log.ts';
import { isoTimeOrNull } from '../iso-time.ts';
import { type Route, routesOf } from '../route.ts';
import { AUTH_CALLS, SIGN_IN_CALLS } from './auth-calls.ts';

export interface AuthRoutesOptions {
  /** The engine that serves AI operations now. Returns quickly. */
  aiEngine(): Promise<{ engine: string | null; hint?: string }>;
}

/** Routes of registration, login, and the account itself. */
export function authRoutes(accounts: Accounts, options: AuthRoutesOptions): Route[] {
  return [
    ...signInRoutes(accounts),
    ...routesOf(AUTH_CALLS, {
      'GET /api/me': async ({ principal }) => ({
        ...principal.user,
        session_id: principal.sessionId,
        expires_at: isoTimeOrNull(principal.expiresAt),
        scopes: principal.apiToken?.scopes ?? TOKEN_SCOPES,
        endpoint_ids: principal.apiToken?.endpoints?.map(({ id }) => id) ?? null,
        ai: await options.aiEngine(),
      }),
      async 'POST /api/auth/password'(context) {
        const { user, sessionId } = context.principal;
        const { current, new: next } = context.body;
        const change = { current, next, sessionId: sessionId as string };
        await accounts.changePassword(user, change, clientOf(context));
        context.record({ target: accountTarget(user) });
      },
    }),
  ];
}

function signInRoutes(accounts: Accounts): Route[] {
  return routesOf(SIGN_IN_CALLS, {
    async 'POST /api/auth/register'(context) {
      const { sessionId, ...answer } = await accounts.register(context.body, clientOf(context));
      const { user } = answer;
      context.record({ target: accountTarget(user), by: { user, sessionId } });
      return answer;
    },
    async 'POST /api/auth/login'(context) {
      const { sessionId, ...answer } = await accounts.login(context.body, clientOf(context));
      const { user } = answer;
      context.record({ target: accountTarget(user), by: { user, sessionId } });
      return answer;
    },
    'POST /api/auth/refresh': (context) =>
      accounts.refresh(context.body.refreshToken, clientOf(context)),
    async 'POST /api/auth/logout'(context) {
      const ended = await accounts.logout(context.body.refreshToken, clientOf(context));
      if (ended) context.record({ target: accountTarget(ended.user), by: ended });
    },
  });
}
