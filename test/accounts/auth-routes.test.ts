import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Accounts } from '../../src/accounts/accounts.ts';
import type { Principal } from '../../src/accounts/principal.ts';
import { requireRights } from '../../src/api/access.ts';
import { authRoutes } from '../../src/api/accounts/auth-routes.ts';
import { sessionRoutes } from '../../src/api/accounts/session-routes.ts';
import { tokenRoutes } from '../../src/api/accounts/token-routes.ts';
import type { Route } from '../../src/api/route.ts';
import { ADA, codeOf, OWNER, openAccounts } from './account-setup.ts';

interface Call {
  body?: unknown;
  params?: Record<string, string>;
  authorization?: string;
}

const NO_AI = { aiEngine: async () => ({ engine: null, hint: 'hookrelay serve --ai auto' }) };

const routesOf = (accounts: Accounts) => [
  ...authRoutes(accounts, NO_AI),
  ...sessionRoutes(accounts),
  ...tokenRoutes(accounts),
];

/** Calls a route as the server does, and checks the answer against its schema. */
async function call(accounts: Accounts, name: string, { body, params = {}, authorization }: Call) {
  const found = routesOf(accounts).find(({ method, path }) => `${method} ${path}` === name);
  if (!found) throw new Error(`no route ${name}`);
  let principal: Principal | undefined;
  if (found.access !== 'public') {
    principal = await accounts.principalOf(authorization);
    requireRights(found, principal);
  }
  const context = {
    req: { headers: { 'user-agent': 'test/1' } },
    address: OWNER.address,
    params,
    body: found.body && v.parse(found.body, body),
    principal,
    record() {},
  };
  const result = await found.handle(context as unknown as Parameters<Route['handle']>[0]);
  if (found.status === 204) expect(result).toBeUndefined();
  else expect(v.parse(found.response as v.GenericSchema, result)).toEqual(result);
  return JSON.parse(JSON.stringify(result ?? null));
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('the routes are those of the contract', () => {
  const routes = routesOf({} as Accounts);
  expect(routes.map(({ method, path, status, access }) => [method, path, status, access])).toEqual([
    ['POST', '/api/auth/register', 201, 'public'],
    ['POST', '/api/auth/login', 200, 'public'],
    ['POST', '/api/auth/refresh', 200, 'public'],
    ['POST', '/api/auth/logout', 204, 'public'],
    ['GET', '/api/me', 200, 'account-part'],
    ['POST', '/api/auth/password', 204, 'session'],
    ['GET', '/api/sessions', 200, 'session'],
    ['DELETE', '/api/sessions/{sessionId}', 204, 'session'],
    ['GET', '/api/tokens', 200, 'session'],
    ['POST', '/api/tokens', 201, 'session'],
    ['DELETE', '/api/tokens/{tokenId}', 204, 'session'],
  ]);
});

test('every schema can be described as JSON Schema', () => {
  for (const { body, response } of routesOf({} as Accounts)) {
    for (const schema of [body, response].filter((one) => one !== undefined)) {
      const described = toJsonSchema(schema, {
        target: 'openapi-3.0',
        typeMode: 'input',
        errorMode: 'ignore',
      });
      expect(JSON.stringify(described)).toMatch(/"type":"(object|array)"/);
    }
  }
});

test('register, login and refresh answer the contract’s fields and no others', async () => {
  const { accounts } = await openAccounts();
  const text = expect.any(String);
  const user = { id: text, email: 'ada@example.com', plan: 'free' };
  const signedIn = { user, accessToken: text, refreshToken: text };
  const input = { email: ' Ada@example.com', password: ADA.password, plan: 'pro' };
  expect(await call(accounts, 'POST /api/auth/register', { body: input })).toEqual(signedIn);
  const login = await call(accounts, 'POST /api/auth/login', { body: input });
  expect(login).toEqual(signedIn);
  const body = { refreshToken: login.refreshToken };
  expect(await call(accounts, 'POST /api/auth/refresh', { body })).toEqual({
    accessToken: text,
    refreshToken: text,
  });
});

test('me, sessions and logout', async () => {
  const { accounts, clock } = await openAccounts();
  const { user, accessToken, refreshToken } = await accounts.register(ADA, OWNER);
  const authorization = `Bearer ${accessToken}`;
  const me = await call(accounts, 'GET /api/me', { authorization });
  expect(me).toEqual({
    ...user,
    session_id: expect.stringMatching(/^ses_/),
    expires_at: new Date(clock.now() + 900_000).toISOString(),
    scopes: ['read', 'write'],
    endpoint_ids: null,
    ai: { engine: null, hint: 'hookrelay serve --ai auto' },
  });
  const other = await call(accounts, 'POST /api/auth/login', { body: ADA });
  const sessions = await call(accounts, 'GET /api/sessions', { authorization });
  expect(sessions).toHaveLength(2);
  expect(sessions.find(({ id }: { id: string }) => id === me.session_id)).toEqual({
    id: me.session_id,
    created_at: expect.stringMatching(ISO),
    last_used_at: expect.stringMatching(ISO),
    expires_at: new Date(clock.now() + 30 * 86_400_000).toISOString(),
    address: OWNER.address,
    user_agent: OWNER.userAgent,
    current: true,
  });
  const [foreign] = sessions.filter(({ current }: { current: boolean }) => !current);
  expect(foreign.user_agent).toBe('test/1');
  const params = { sessionId: foreign.id };
  await call(accounts, 'DELETE /api/sessions/{sessionId}', { authorization, params });
  expect(await codeOf(accounts.refresh(other.refreshToken, OWNER))).toBe('invalid_token');
  const again = call(accounts, 'DELETE /api/sessions/{sessionId}', { authorization, params });
  expect(await codeOf(again)).toBe('session_not_found');

  await call(accounts, 'POST /api/auth/logout', { body: { refreshToken } });
  await call(accounts, 'POST /api/auth/logout', { body: { refreshToken: 'nonsense' } });
  expect(await codeOf(accounts.refresh(refreshToken, OWNER))).toBe('invalid_token');
});

test('a session close to its 90 days says so', async () => {
  const { accounts, clock } = await openAccounts();
  const createdAt = clock.now();
  let pair = await accounts.register(ADA, OWNER);
  for (let i = 0; i < 4; i++) {
    clock.advance(20 * 86_400_000);
    pair = { ...pair, ...(await accounts.refresh(pair.refreshToken, OWNER)) };
  }
  const authorization = `Bearer ${pair.accessToken}`;
  const [session] = await call(accounts, 'GET /api/sessions', { authorization });
  expect(session.expires_at).toBe(new Date(createdAt + 90 * 86_400_000).toISOString());
});

test('API tokens: shown once, listed without, revoked', async () => {
  const { accounts, clock } = await openAccounts();
  const { user, accessToken } = await accounts.register(ADA, OWNER);
  const authorization = `Bearer ${accessToken}`;
  const body = { name: '  ci  ' };
  const created = await call(accounts, 'POST /api/tokens', { authorization, body });
  const { token, ...shown } = created;
  expect(shown).toEqual({
    id: expect.stringMatching(/^tok_/),
    name: 'ci',
    scopes: ['read', 'write'],
    endpoint_ids: null,
    created_at: new Date(clock.now()).toISOString(),
    last_used_at: null,
    expires_at: null,
  });
  const me = await call(accounts, 'GET /api/me', { authorization: `Bearer ${token}` });
  expect(me).toEqual({
    ...user,
    session_id: null,
    expires_at: null,
    scopes: ['read', 'write'],
    endpoint_ids: null,
    ai: { engine: null, hint: 'hookrelay serve --ai auto' },
  });
  expect(await call(accounts, 'GET /api/tokens', { authorization })).toEqual([
    { ...shown, last_used_at: new Date(clock.now()).toISOString() },
  ]);
  const params = { tokenId: created.id };
  await call(accounts, 'DELETE /api/tokens/{tokenId}', { authorization, params });
  const again = call(accounts, 'DELETE /api/tokens/{tokenId}', { authorization, params });
  expect(await codeOf(again)).toBe('token_not_found');
});

test.each([
  ['', false],
  ['   ', false],
  ['x'.repeat(100), true],
  ['x'.repeat(101), false],
  [7, false],
  [undefined, false],
])('token name %j: %s', (name, accepted) => {
  const routes = routesOf({} as Accounts);
  const schema = routes.find(
    ({ method, path }) => method === 'POST' && path === '/api/tokens',
  )?.body;
  expect(v.safeParse(schema as v.GenericSchema, { name }).success).toBe(accepted);
});

test.each([
  ['GET /api/sessions', {}],
  ['POST /api/auth/password', { body: { current: 'a', new: 'long enough' } }],
  ['DELETE /api/sessions/{sessionId}', { params: { sessionId: 'ses_x' } }],
  ['GET /api/tokens', {}],
  ['POST /api/tokens', { body: { name: 'heir' } }],
  ['DELETE /api/tokens/{tokenId}', { params: { tokenId: 'tok_x' } }],
])('an API token can’t %s', async (name, input) => {
  const { accounts } = await openAccounts();
  const { user } = await accounts.register(ADA, OWNER);
  const { token } = await accounts.tokens.create(user.id, 'ci');
  const refused = call(accounts, name, { ...input, authorization: `Bearer ${token}` });
  expect(await codeOf(refused)).toBe('session_required');
  expect(await accounts.tokens.list(user.id)).toHaveLength(1);
});
