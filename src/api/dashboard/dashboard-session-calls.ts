import * as v from 'valibot';
import { loginSchema, registrationSchema } from '../../accounts/credentials.ts';
import { userSchema } from '../accounts/auth-calls.ts';
import type { Calls } from '../contract.ts';

const pageRegistrationSchema = v.object({
  ...registrationSchema.entries,
  setup_token: v.optional(v.string('must be a string')),
});

const signedInSchema = v.object({ user: userSchema, accessToken: v.string() });

const page = { tag: 'dashboard', access: 'public' } as const;

export const DASHBOARD_SESSION_CALLS = {
  'GET /dashboard/session': {
    ...page,
    summary: 'State of the server for a visitor who is not logged in',
    response: v.object({
      has_session: v.boolean(),
      registration: v.picklist(['open', 'closed']),
      first_account: v.boolean(),
    }),
  },
  'POST /dashboard/session/login': {
    ...page,
    summary: 'Log in',
    audit: 'auth.login',
    body: loginSchema,
    response: signedInSchema,
  },
  'POST /dashboard/session/register': {
    ...page,
    summary: 'Create an account with an endpoint, and log in to it',
    audit: 'auth.register',
    body: pageRegistrationSchema,
    status: 201,
    response: v.object({ ...signedInSchema.entries, endpoint_id: v.string() }),
  },
  'POST /dashboard/session/refresh': {
    ...page,
    summary: 'Get a new access token by the cookie',
    audit: { unaudited: 'it continues a session, every 15 minutes' },
    response: v.object({ accessToken: v.string() }),
  },
  'DELETE /dashboard/session': {
    ...page,
    summary: 'Log out',
    audit: 'auth.logout',
    status: 204,
  },
} as const satisfies Calls;
