import { describe, expect, test } from 'vitest';
import { callApi, expectStatus } from '../../fixtures/account.ts';
import type { Answer } from '../../fixtures/http-request.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import {
  runServer,
  serverOfFile,
  type TestServer,
  tempDir,
} from '../../fixtures/running-server.ts';
import { serveHere } from '../../fixtures/served-process.ts';
import { until } from '../../fixtures/until.ts';

/* How the page logs in: a cookie that only these routes get, and only from the page. */

failOnLeaks();
const server = serverOfFile();
const behindHttps = serverOfFile({ publicUrl: 'https://hooks.example.com' });

const SESSION = '/dashboard/session';
/** The headers that a browser adds to requests of the page. */
const PAGE = { 'x-hookrelay-page': '1', 'sec-fetch-site': 'same-origin' };
const CREDENTIALS = { email: 'ada@example.com', password: 'correct horse battery' };

function call(
  server: { url: string },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  return callApi(server, method, SESSION + path, body, { headers: { ...PAGE, ...headers } });
}

function cookieIn({ headers }: Answer): string {
  return (headers['set-cookie']?.[0] ?? '').split(';')[0] as string;
}

let signedUp = 0;

/** Registers a new person on the page. The log is searched for the answers at the end. */
async function signUp(server: TestServer) {
  const credentials = { ...CREDENTIALS, email: `ada-${++signedUp}@example.com` };
  const answer = await call(server, 'POST', '/register', credentials);
  const json = expectStatus(201, answer);
  const cookie = cookieIn(answer);
  server.secrets.push(json.accessToken, cookie.split('=')[1] as string, credentials.password);
  return { answer, json, cookie, credentials };
}

test('logins and logouts of the page are in the audit', async () => {
  const { json, cookie, credentials } = await signUp(server);
  const login = await call(server, 'POST', '/login', credentials);
  server.secrets.push(login.json.accessToken);
  expectStatus(200, await call(server, 'POST', '/refresh', undefined, { cookie }));
  expectStatus(204, await call(server, 'DELETE', '', undefined, { cookie: cookieIn(login) }));
  expectStatus(204, await call(server, 'DELETE', '', undefined, { cookie: cookieIn(login) }));
  const headers = { authorization: `Bearer ${json.accessToken}` };
  const { data } = (await callApi(server, 'GET', '/api/audit', undefined, { headers })).json;
  expect(data.map(({ action }: { action: string }) => action)).toEqual([
    ...['auth.logout', 'auth.login', 'auth.register'],
  ]);
  expect(data[0].actor).toEqual(data[1].actor);
});

describe('the cookie', () => {
  test('carries the refresh token, out of reach of scripts and other paths', async () => {
    const { answer, json } = await signUp(server);
    expect(Object.keys(json).sort()).toEqual(['accessToken', 'endpoint_id', 'user']);
    expect(answer.headers['set-cookie']).toHaveLength(1);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^hookrelay_[0-9a-f]{8}=[\w.~-]+; Path=\/dashboard\/session; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('is Secure, also by its name, behind https', async () => {
    const { answer } = await signUp(behindHttps);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^__Secure-hookrelay_[^;]+;.*; Secure$/);
  });

  test('refreshes repeatedly, and each answer replaces it', async () => {
    const { credentials, ...signedIn } = await signUp(server);
    let { cookie } = signedIn;
    for (let i = 0; i < 3; i++) {
      const answer = await call(server, 'POST', '/refresh', undefined, { cookie });
      const { accessToken } = expectStatus(200, answer);
      expect(cookieIn(answer)).not.toBe(cookie);
      cookie = `other=1; ${cookieIn(answer)}`;
      server.secrets.push(accessToken);
      const me = await callApi(server, 'GET', '/api/me', undefined, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      expect(expectStatus(200, me).email).toBe(credentials.email);
    }
  });

  test('is refused by the API, and no API route sets one', async () => {
    const { cookie, credentials } = await signUp(server);
    const me = await callApi(server, 'GET', '/api/me', undefined, { headers: { cookie } });
    expect([me.status, me.json.error.code]).toEqual([401, 'missing_token']);
    const login = await callApi(server, 'POST', '/api/auth/login', credentials);
    expect([login.status, login.headers['set-cookie']]).toEqual([200, undefined]);
  });

  test('is removed at logout, and when its session has ended', async () => {
    const { cookie, json } = await signUp(server);
    expectStatus(200, await call(server, 'POST', '/refresh', undefined, { cookie }));
    const out = await call(server, 'DELETE', '', undefined, { cookie });
    expect([out.status, out.text]).toEqual([204, '']);
    expect(out.headers['set-cookie']?.[0]).toMatch(/^hookrelay_[0-9a-f]{8}=; .*Max-Age=0;/);
    const again = await call(server, 'POST', '/refresh', undefined, { cookie });
    expect([again.status, again.json.error.code]).toEqual([401, 'invalid_token']);
    expect(again.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    const me = await callApi(server, 'GET', '/api/me', undefined, {
      headers: { authorization: `Bearer ${json.accessToken}` },
    });
    expect(me.status).toBe(401);
  });

  test('missing or garbage answers 401', async () => {
    const { cookie } = await signUp(server);
    expect((await call(server, 'POST', '/refresh')).json.error.code).toBe('missing_token');
    const garbage = `${cookie.split('=')[0]}=garbage`;
    const answer = await call(server, 'POST', '/refresh', undefined, { cookie: garbage });
    expect(answer.json.error.code).toBe('invalid_token');
  });
});

describe('another site', () => {
  const FORGED: [string, Record<string, string>][] = [
    ['says so itself', { 'x-hookrelay-page': '1', 'sec-fetch-site': 'cross-site' }],
    ['is a subdomain', { 'x-hookrelay-page': '1', 'sec-fetch-site': 'same-site' }],
    ['is a link or a bookmark', { 'x-hookrelay-page': '1', 'sec-fetch-site': 'none' }],
    ['posts a form', { 'sec-fetch-site': 'same-origin' }],
    ['has another origin', { 'x-hookrelay-page': '1', origin: 'http://evil.example' }],
    ['has another port', { 'x-hookrelay-page': '1', origin: 'http://127.0.0.1:1' }],
    ['is a sandbox or a file', { 'x-hookrelay-page': '1', origin: 'null' }],
    ['says nothing', { 'x-hookrelay-page': '1' }],
  ];
  test('is refused everything, however it asks', async () => {
    const { cookie, credentials } = await signUp(server);
    const other = { email: 'eve@example.com', password: 'eve was here too' };
    for (const [how, headers] of FORGED) {
      for (const [method, path, body] of [
        ['POST', '/refresh', undefined],
        ['POST', '/login', credentials],
        ['POST', '/register', other],
        ['DELETE', '', undefined],
      ] as const) {
        const answer = await callApi(server, method, SESSION + path, body, {
          headers: { ...headers, cookie },
        });
        const said = `a site that ${how}: ${method} ${path}`;
        expect([answer.status, answer.json.error.code], said).toEqual([403, 'cross_origin']);
        expect(answer.headers['set-cookie'], said).toBeUndefined();
        expect(answer.headers['access-control-allow-origin'], said).toBeUndefined();
      }
      expectStatus(200, await call(server, 'POST', '/refresh', undefined, { cookie }));
    }
  });

  test('gets no CORS permission in a preflight', async () => {
    const answer = await callApi(server, 'OPTIONS', `${SESSION}/refresh`, undefined, {
      headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('old browsers are recognised by our Origin, also behind a proxy', async () => {
    const { cookie } = await signUp(behindHttps);
    for (const origin of [behindHttps.url, 'https://hooks.example.com']) {
      const answer = await callApi(behindHttps, 'POST', `${SESSION}/refresh`, undefined, {
        headers: { 'x-hookrelay-page': '1', origin, cookie },
      });
      expect(answer.status).toBe(200);
    }
  });
});

/**
 * The link that `serve --json` prints. Stdout is a separate pipe: the ready line on
 * stderr may arrive before it.
 */
function printedLink(served: { stdout: string }): Promise<string> {
  const line = /\{"type":"setup","url":"([^"]+)"\}\n/;
  return until('the link is printed', () => line.exec(served.stdout)?.[1] ?? '');
}

describe('the first account', () => {
  const closed = { registration: 'closed' } as const;

  test('is asked for until it exists', async () => {
    const server = await runServer();
    const state = async () => expectStatus(200, await call(server, 'GET', ''));
    expect(await state()).toEqual({
      has_session: false,
      registration: 'open',
      first_account: true,
    });
    const { json, cookie } = await signUp(server);
    expect((await state()).first_account).toBe(false);
    expect((await call(server, 'GET', '', undefined, { cookie })).json.has_session).toBe(true);
    const endpoint = await callApi(server, 'GET', `/api/endpoints/${json.endpoint_id}`, undefined, {
      headers: { authorization: `Bearer ${json.accessToken}` },
    });
    expect(expectStatus(200, endpoint)).toMatchObject({ name: 'inbox', is_active: true });
  });

  test('of a closed server needs the link that serve printed, and the link works once', async () => {
    const served = await serveHere(tempDir(), ['--json', '--registration', 'closed']);
    const link = await printedLink(served);
    expect(link).toMatch(new RegExp(`^${served.url}/setup#[A-Za-z0-9_-]{32}$`));
    const setup_token = link.split('#')[1];
    const attempt = (token: unknown, email: string) =>
      call(served, 'POST', '/register', { ...CREDENTIALS, email, setup_token: token });

    const without = await call(served, 'POST', '/register', CREDENTIALS);
    expect([without.status, without.json.error.code]).toEqual([403, 'registration_closed']);
    expect((await attempt('x', 'eve@example.com')).json.error.code).toBe('setup_link_invalid');
    // An invalid account leaves the link unchanged.
    expect((await attempt(setup_token, 'not an email')).status).toBe(400);
    const both = await Promise.all([
      attempt(setup_token, 'ada@example.com'),
      attempt(setup_token, 'eve@example.com'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
    expect((await attempt(setup_token, 'eve2@example.com')).json.error.code).toBe(
      'setup_link_invalid',
    );
    expect(served.stdout + served.stderr).not.toContain(CREDENTIALS.password);
  });

  test('ends the link however it is made, and the next start prints none', async () => {
    const dataDir = tempDir();
    const first = await serveHere(dataDir, ['--json']);
    const token = (await printedLink(first)).split('#')[1];
    expect((await callApi(first, 'POST', '/api/auth/register', CREDENTIALS)).status).toBe(201);
    const late = await call(first, 'POST', '/register', {
      email: 'eve@example.com',
      password: 'eve was here too',
      setup_token: token,
    });
    expect(late.json.error.code).toBe('setup_link_invalid');
    first.kill('SIGTERM');
    await first.exited();
    const next = await serveHere(dataDir, ['--json']);
    next.kill('SIGTERM');
    await next.exited();
    expect(next.stdout).toBe(`{"type":"ready","url":"${next.url}"}\n`);
  });

  test('does not open a closed server’s registration', async () => {
    const server = await runServer(closed);
    const answer = await call(server, 'POST', '/register', CREDENTIALS);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'registration_closed']);
  });
});
