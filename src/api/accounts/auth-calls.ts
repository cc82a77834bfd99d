import * as v from 'valibot';
import { loginSchema, newPasswordSchema, registrationSchema } from '../../accounts/credentials.ts';
import { PLANS, TOKEN_SCOPES } from '../../core/model.ts';
import type { Calls } from '../contract.ts';
import { isoTimeSchema } from '../iso-time.ts';

export const userSchema = v.object({ id: v.string(), email: v.string(), plan: v.picklist(PLANS) });

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

export const AUTH_CALLS = {
  'GET /api/me': {
    summary: 'Get the account of the token',
    tag: 'auth',
    access: 'account-part',
    scope: 'read',
    response: meSchema,
  },
  'POST /api/auth/password': {
    summary: 'Change the password; all other sessions end, API tokens stay',
    tag: 'auth',
    access: 'session',
    audit: 'auth.password',
    body: passwordSchema,
    status: 204,
  },
} as const satisfies Calls;

const signIn = { tag: 'auth', access: 'public' } as const;

export const SIGN_IN_CALLS = {
  'POST /api/auth/register': {
    ...signIn,
    summary: 'Create an account and log in to it',
    audit: 'auth.register',
    body: registrationSchema,
    status: 201,
    response: signedInSchema,
  },
  'POST /api/auth/login': {
    ...signIn,
    summary: 'Log in',
    audit: 'auth.login',
    body: loginSchema,
    response: signedInSchema,
  },
  'POST /api/auth/refresh': {
    ...signIn,
    summary: 'Get a new access token and the next refresh token',
    audit: { unaudited: 'it continues a session, every 15 minutes' },
    body: refreshSchema,
    response: tokenPairSchema,
  },
  'POST /api/auth/logout': {
    ...signIn,
    summary: 'End the session of a refresh token; an ended session is not an error',
    audit: 'auth.logout',
    body: refreshSchema,
    status: 204,
  },
} as const satisfies Calls;
