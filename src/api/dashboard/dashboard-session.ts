import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Accounts, SESSION_LIMITS, type SignedIn } from '../../accounts/accounts.ts';
import { clientOf } from '../../accounts/client-of.ts';
import type { FirstAccount } from '../../accounts/first-account.ts';
import { requireSameOrigin } from '../../accounts/same-origin.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint } from '../../core/model.ts';
import { accountTarget } from '../audit-log.ts';
import { type Route, routesOf } from '../route.ts';
import { DASHBOARD_SESSION_CALLS } from './dashboard-session-calls.ts';

const PATH = '/dashboard/session';

export interface DashboardSessionOptions {
  accounts: Accounts;
  firstAccount: FirstAccount;
  registration: 'open' | 'closed';
  /** The URL that people open in a browser. */
  baseUrl(): string;
  /** Goes into the cookie's name, because servers on one host share cookies across ports. */
  generation: string;
  createEndpoint(userId: string): Promise<Endpoint>;
}

/**
 * Returns the login routes of the dashboard. The refresh token is in a cookie that no script can
 * read. Answers contain only the access token, so an injected script finds no lasting token.
 *
 * The routes aren't part of the API: programs use `/api/auth`. Every route that changes state
 * refuses requests from other sites (CSRF).
 */
export function dashboardSession(options: DashboardSessionOptions): Route[] {
  const { accounts, firstAccount } = options;

  function isSecure(req: IncomingMessage): boolean {
    return 'encrypted' in req.socket || options.baseUrl().startsWith('https:');
  }

  function cookieName(req: IncomingMessage): string {
    const suffix = createHash('sha256').update(options.generation).digest('hex').slice(0, 8);
    return `${isSecure(req) ? '__Secure-' : ''}hookrelay_${suffix}`;
  }

  function setCookie(req: IncomingMessage, res: ServerResponse, value: string, maxAgeS: number) {
    const attributes = [
      `${cookieName(req)}=${value}`,
      `Path=${PATH}`,
      `Max-Age=${maxAgeS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(isSecure(req) ? ['Secure'] : []),
    ];
    res.setHeader('set-cookie', attributes.join('; '));
  }

  function keep(req: IncomingMessage, res: ServerResponse, refreshToken: string): void {
    setCookie(req, res, refreshToken, SESSION_LIMITS.idleMs / 1000);
  }

  function signedIn(
    req: IncomingMessage,
    res: ServerResponse,
    { refreshToken, sessionId: _, ...rest }: SignedIn,
  ) {
    keep(req, res, refreshToken);
    return rest;
  }

  function cookieOf(req: IncomingMessage): string | null {
    const name = cookieName(req);
    for (const pair of (req.headers.cookie ?? '').split(';')) {
      const [key, value] = pair.trim().split('=', 2);
      if (key === name && value) return value;
    }
    return null;
  }

  return routesOf(DASHBOARD_SESSION_CALLS, {
    'GET /dashboard/session': async ({ req }) => ({
      has_session: cookieOf(req) !== null,
      registration: options.registration,
      first_account: await firstAccount.isAwaited(),
    }),
    async 'POST /dashboard/session/login'(context) {
      const { req, res, body } = context;
      requireSameOrigin(req, options.baseUrl());
      const loggedIn = await accounts.login(body, clientOf(context));
      context.record({ target: accountTarget(loggedIn.user), by: loggedIn });
      return signedIn(req, res, loggedIn);
    },
    async 'POST /dashboard/session/register'(context) {
      const { req, res, body } = context;
      requireSameOrigin(req, options.baseUrl());
      const { setup_token, ...credentials } = body;
      const client = clientOf(context);
      const created =
        setup_token === undefined
          ? await accounts.register(credentials, client)
          : await firstAccount.redeem(setup_token, () =>
              accounts.register(credentials, client, { invited: true }),
            );
      const endpoint = await options.createEndpoint(created.user.id);
      context.record({ target: accountTarget(created.user), by: created });
      return { ...signedIn(req, res, created), endpoint_id: endpoint.id };
    },
    async 'POST /dashboard/session/refresh'(context) {
      const { req, res } = context;
      requireSameOrigin(req, options.baseUrl());
      const token = cookieOf(req);
      if (token === null) {
        throw new HookrelayError('missing_token', 'there is no session', { hint: 'log in' });
      }
      try {
        const pair = await accounts.refresh(token, clientOf(context));
        keep(req, res, pair.refreshToken);
        return { accessToken: pair.accessToken };
      } catch (error) {
        // Keep the cookie after other failures, because the session is still valid.
        if (error instanceof HookrelayError && error.code === 'invalid_token') {
          setCookie(req, res, '', 0);
        }
        throw error;
      }
    },
    async 'DELETE /dashboard/session'(context) {
      const { req, res } = context;
      requireSameOrigin(req, options.baseUrl());
      const token = cookieOf(req);
      const ended = token === null ? null : await accounts.logout(token, clientOf(context));
      if (ended) context.record({ target: accountTarget(ended.user), by: ended });
      setCookie(req, res, '', 0);
    },
  });
}
