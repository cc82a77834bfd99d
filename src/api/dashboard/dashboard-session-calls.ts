import * as v from 'valibot';
import { loginSchema, registrationSchema } from '../../accounts/credentials.ts';
import { userSchema } from '../accounts/auth-calls.ts';
import type { Calls } from '../contract.ts';

const pageRegistrationSchema = v.object({
  ...registrationSchema.entries,
  setup_token: v.optional(v.string('must be a string')),
});

const signedInSchema = v.object({ user: userSchema, accessToken: v.string() });

export const DASHBOARD_SESSION_CALLS = {
  'GET /dashboard/session': {
    summary: 'State of the server for a visitor who is not logged in',
    tag: 'dashboard',
    access: 'public',
    status: 200,
    response: v.object({
      has_session: v.boolean(),
      registration: v.picklist(['open', 'closed']),
      /** The server has no account yet. */
      first_account: v.boolean(),
    }),
  },
  'POST /dashboard/session/login': {
    summary: 'Log in',
    tag: 'dashboard',
    access: 'public',
    audit: 'auth.login',
    body: loginSchema,
    status: 200,
    response: signedInSchema,
  },
  'POST /dashboard/session/register': {
    summary: 'Create an account with an endpoint, and log in to it',
    tag: 'dashboard',
    access: 'public',
    audit: 'auth.register',
    body: pageRegistrationSchema,
    status: 201,
    response: v.object({ ...signedInSchema.entries, endpoint_id: v.string() }),
  },
  'POST /dashboard/session/refresh': {
    summary: 'Get a new access token by the cookie',
    tag: 'dashboard',
    access: 'public',
    audit: { unaudited: 'it continues a session, every 15 minutes' },
    status: 200,
    response: v.object({ accessToken: v.string() }),
  },
  'DELETE /dashboard/session': {
    summary: 'Log out',
    tag: 'dashboard',
    access: 'public',
    audit: 'auth.logout',
    status: 204,
  },
} as const satisfies Calls;
