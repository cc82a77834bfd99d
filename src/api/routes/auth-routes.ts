import * as v from 'valibot';
import { type Accounts, SESSION_LIMITS } from '../../accounts/accounts.ts';
import { clientOf } from '../../accounts/client-of.ts';
import { loginSchema, registrationSchema } from '../../accounts/credentials.ts';
import type { Principal } from '../../accounts/principal.ts';
import { HookrelayError } from '../../core/errors.ts';
import { type ApiToken, PLANS, type Session } from '../../core/model.ts';
import { nameSchema } from '../../core/settings/name-schema.ts';
import { type Route, route } from '../route.ts';
import { isoTime, isoTimeSchema } from '../views.ts';

const TOKEN_NAME_MAX_CHARACTERS = 100;

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
    v.description('Expiry of the access token; null for an API token.'),
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

const sessionSchema = v.object({
  id: v.string(),
  created_at: isoTimeSchema,
  last_used_at: isoTimeSchema,
  expires_at: v.pipe(isoTimeSchema, v.description('Expiry of the session if it is not used.')),
  address: v.nullable(v.string()),
  user_agent: v.nullable(v.string()),
  current: v.pipe(v.boolean(), v.description('Whether this request belongs to the session.')),
});

const newApiTokenSchema = v.object({
  name: nameSchema(TOKEN_NAME_MAX_CHARACTERS, 'The token’s purpose.', 'ci'),
});

const apiTokenSchema = v.object({
  id: v.string(),
  name: v.string(),
  created_at: isoTimeSchema,
  last_used_at: v.pipe(v.nullable(isoTimeSchema), v.description('To the minute.')),
});

const createdApiTokenSchema = v.object({
  ...apiTokenSchema.entries,
  token: v.pipe(
    v.string(),
    v.description('The bearer token. Only this answer shows it: store it now.'),
  ),
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
      access: 'account',
      status: 200,
      response: meSchema,
      handle: async ({ principal }) => ({
        ...principal.user,
        session_id: principal.sessionId,
        expires_at: principal.expiresAt === null ? null : isoTime(principal.expiresAt),
        ai: await options.aiEngine(),
      }),
    }),
    ...sessionRoutes(accounts),
    ...apiTokenRoutes(accounts),
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
      body: registrationSchema,
      status: 201,
      response: signedInSchema,
      handle: (context) => accounts.register(context.body, clientOf(context)),
    }),
    route({
      method: 'POST',
      path: '/api/auth/login',
      summary: 'Log in',
      tag: 'auth',
      access: 'public',
      body: loginSchema,
      status: 200,
      response: signedInSchema,
      handle: (context) => accounts.login(context.body, clientOf(context)),
    }),
    route({
      method: 'POST',
      path: '/api/auth/refresh',
      summary: 'Get a new access token and the next refresh token',
      tag: 'auth',
      access: 'public',
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
      body: refreshSchema,
      status: 204,
      handle: (context) => accounts.logout(context.body.refreshToken, clientOf(context)),
    }),
  ];
}

function sessionRoutes(accounts: Accounts): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/sessions',
      summary: "List the account's sessions, last used first",
      tag: 'sessions',
      access: 'account',
      status: 200,
      response: v.array(sessionSchema),
      handle: async ({ principal }) => {
        const current = requireSession(principal);
        const sessions = await accounts.listSessions(principal.user.id);
        return sessions.map((session) => sessionView(session, current));
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/sessions/{sessionId}',
      summary: 'End a session: its refresh token stops working',
      tag: 'sessions',
      access: 'account',
      status: 204,
      handle: ({ principal, params }) => {
        requireSession(principal);
        return accounts.endSession(principal.user.id, params.sessionId as string);
      },
    }),
  ];
}

function apiTokenRoutes(accounts: Accounts): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/tokens',
      summary: "List the account's API tokens, newest first",
      tag: 'tokens',
      access: 'account',
      status: 200,
      response: v.array(apiTokenSchema),
      handle: async ({ principal }) => {
        requireSession(principal);
        return (await accounts.listApiTokens(principal.user.id)).map(apiTokenView);
      },
    }),
    route({
      method: 'POST',
      path: '/api/tokens',
      summary: 'Create an API token for scripts and CI',
      tag: 'tokens',
      access: 'account',
      body: newApiTokenSchema,
      status: 201,
      response: createdApiTokenSchema,
      handle: async ({ principal, body }) => {
        requireSession(principal);
        const created = await accounts.createApiToken(principal.user.id, body.name);
        return { ...apiTokenView(created), token: created.token };
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/tokens/{tokenId}',
      summary: 'Revoke an API token at once',
      tag: 'tokens',
      access: 'account',
      status: 204,
      handle: ({ principal, params }) => {
        requireSession(principal);
        return accounts.revokeApiToken(principal.user.id, params.tokenId as string);
      },
    }),
  ];
}

/**
 * Requires a session. An API token can do all that its account can, except manage
 * sessions and API tokens. A leaked token can't create a successor before its
 * revocation, and can't lock the owner out.
 */
function requireSession({ sessionId }: Principal): string {
  if (sessionId !== null) return sessionId;
  throw new HookrelayError(
    'session_required',
    'an API token cannot manage sessions or API tokens',
    {
      hint: 'log in and use the access token',
    },
  );
}

function sessionView(session: Session, currentId: string): v.InferOutput<typeof sessionSchema> {
  const { createdAt, lastUsedAt } = session;
  const { idleMs, absoluteMs } = SESSION_LIMITS;
  return {
    id: session.id,
    created_at: isoTime(createdAt),
    last_used_at: isoTime(lastUsedAt),
    expires_at: isoTime(Math.min(lastUsedAt + idleMs, createdAt + absoluteMs)),
    address: session.address,
    user_agent: session.userAgent,
    current: session.id === currentId,
  };
}

function apiTokenView(token: ApiToken): v.InferOutput<typeof apiTokenSchema> {
  return {
    id: token.id,
    name: token.name,
    created_at: isoTime(token.createdAt),
    last_used_at: token.lastUsedAt === null ? null : isoTime(token.lastUsedAt),
  };
}
