import * as v from 'valibot';
import { loginSchema, newPasswordSchema, registrationSchema } from '../../accounts/credentials.ts';
import { PLANS, TOKEN_SCOPES } from '../../core/model.ts';
import { about } from '../about.ts';
import type { Calls } from '../contract.ts';
import { isoTimeSchema } from '../iso-time.ts';

export const userSchema = v.object({ id: v.string(), email: v.string(), plan: v.picklist(PLANS) });

const tokenPairSchema = v.object({
  accessToken: about(v.string(), 'A JWT that expires 15 minutes after its issue.'),
  refreshToken: about(
    v.string(),
    'Gets the next pair once. Expires after 30 days without use, and 90 days after the login.',
  ),
});

const signedInSchema = v.object({ user: userSchema, ...tokenPairSchema.entries });

const refreshSchema = v.object({
  refreshToken: about(v.string('must be a string'), 'From the latest register, login or refresh.'),
});

const meSchema = v.object({
  ...userSchema.entries,
  session_id: about(
    v.nullable(v.string()),
    'The session of the access token; null for an API token.',
  ),
  expires_at: about(
    v.nullable(isoTimeSchema),
    'Expiry of the token; null for an API token without an end.',
  ),
  scopes: v.array(v.picklist(TOKEN_SCOPES)),
  endpoint_ids: about(
    v.nullable(v.array(v.string())),
    'The only endpoints that the token sees; null for all.',
  ),
  ai: about(
    v.object({
      engine: about(
        v.nullable(v.string()),
        '`builtin`, or `ollama/` and the model; null without an engine.',
      ),
      hint: v.optional(about(v.string(), 'How the operator can add an engine.')),
    }),
    'The engine of AI operations now. They need the starter or the pro plan.',
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
