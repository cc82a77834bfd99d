import * as v from 'valibot';
import type { Accounts } from '../../accounts/accounts.ts';
import { clientOf } from '../../accounts/client-of.ts';
import { loginSchema, newPasswordSchema, registrationSchema } from '../../accounts/credentials.ts';
import { PLANS, TOKEN_SCOPES } from '../../core/model.ts';
import { accountTarget } from '../audit-log.ts';
import { type Route, route } from '../route.ts';
import { isoTimeOrNull, isoTimeSchema } from '../views.ts';

const userSchema = v.object({ id: v.string(), email: v.string(), plan: v.picklist(PLANS) });

const tokenPairSchema = v.object({
  accessToken: v.pipe(v.string(), v.description('A JWT that expires 15 minutes after its issue.')),
  refreshToken: v.pipe(
    v.string(),
    v.description(
      'Gets the next pair once. Expires after 30 days without use, and 90 days after the login.',
    ),
  ),
});

const signedInSchema = v.object({ user: userSchema, ...tokenPairSchema.entries });

const refreshSchema = v.object({
  refreshToken: v.pipe(
    v.string('must be a string'),
    v.description('From the latest register, login or refresh.'),
  ),
});

const meSchema = v.object({
  ...userSchema.entries,
  session_id: v.pipe(
    v.nullable(v.string()),
    v.description('The session of the access token; null for an API token.'),
  ),
  expires_at: v.pipe(
    v.nullable(isoTimeSchema),
    v.description('Expiry of the token; null for an API token without an end.'),
  ),
  scopes: v.array(v.picklist(TOKEN_SCOPES)),
  endpoint_ids: v.pipe(
    v.nullable(v.array(v.string())),
    v.description('The only endpoints that the token sees; null for all.'),
  ),
  ai: v.pipe(
    v.object({
      engine: v.pipe(
        v.nullable(v.string()),
        v.description('`builtin`, or `ollama/` and the model; null without an engine.'),
      ),
      hint: v.optional(v.pipe(v.string(), v.description('How the operator can add an engine.'))),
    }),
    v.description('The engine of AI operations now. They need the starter or the pro plan.'),
  ),
});

const passwordSchema = v.object({
  current: v.pipe(v.string('must be a string'), v.metadata({ format: 'password' })),
  new: newPasswordSchema,
});

export interface AuthRoutesOptions {
  /** The engine that serves AI operations now. Returns quickly. */
  aiEngine(): Promise<{ engine: string | null; hint?: string }>;
}

/** Routes of registration, login, and the account itself. */
export function authRoutes(accounts: Accounts, options: AuthRoutesOptions): Route[] {
  return [
    ...signInRoutes(accounts),
    route({
      method: 'GET',
      path: '/api/me',
      summary: 'Get the account of the token',
      tag: 'auth',
      access: 'account-part',
      scope: 'read',
      status: 200,
      response: meSchema,
      handle: async ({ principal }) => ({
        ...principal.user,
        session_id: principal.sessionId,
        expires_at: isoTimeOrNull(principal.expiresAt),
        scopes: principal.apiToken?.scopes ?? TOKEN_SCOPES,
        endpoint_ids: principal.apiToken?.endpoints?.map(({ id }) => id) ?? null,
        ai: await options.aiEngine(),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/password',
      summary: 'Change the password; all other sessions end, API tokens stay',
      tag: 'auth',
      access: 'session',
      audit: 'auth.password',
      body: passwordSchema,
      status: 204,
      async handle(context) {
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
  return [
    route({
      method: 'POST',
      path: '/api/auth/register',
      summary: 'Create an account and log in to it',
      tag: 'auth',
      access: 'public',
      audit: 'auth.register',
      body: registrationSchema,
      status: 201,
      response: signedInSchema,
      async handle(context) {
        const { sessionId, ...answer } = await accounts.register(context.body, clientOf(context));
        const { user } = answer;
        context.record({ target: accountTarget(user), by: { user, sessionId } });
        return answer;
      },
    }),
    route({
      method: 'POST',
      path: '/api/auth/login',
      summary: 'Log in',
      tag: 'auth',
      access: 'public',
      audit: 'auth.login',
      body: loginSchema,
      status: 200,
      response: signedInSchema,
      async handle(context) {
        const { sessionId, ...answer } = await accounts.login(context.body, clientOf(context));
        const { user } = answer;
        context.record({ target: accountTarget(user), by: { user, sessionId } });
        return answer;
      },
    }),
    route({
      method: 'POST',
      path: '/api/auth/refresh',
      summary: 'Get a new access token and the next refresh token',
      tag: 'auth',
      access: 'public',
      audit: { unaudited: 'it continues a session, every 15 minutes' },
      body: refreshSchema,
      status: 200,
      response: tokenPairSchema,
      handle: (context) => accounts.refresh(context.body.refreshToken, clientOf(context)),
    }),
    route({
      method: 'POST',
      path: '/api/auth/logout',
      summary: 'End the session of a refresh token; an ended session is not an error',
      tag: 'auth',
      access: 'public',
      audit: 'auth.logout',
      body: refreshSchema,
      status: 204,
      async handle(context) {
        const ended = await accounts.logout(context.body.refreshToken, clientOf(context));
        if (ended) context.record({ target: accountTarget(ended.user), by: ended });
      },
    }),
  ];
}
