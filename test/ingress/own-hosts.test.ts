import { describe, expect, test } from 'vitest';
import { OwnHosts } from '../../src/ingress/own-hosts.ts';
import { callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { runServer, serverOfFile, type TestServer } from '../fixtures/running-server.ts';

/*
 * A web page in a browser on this machine can do nothing to a server that listens
 * on loopback: neither by its own name, resolved to 127.0.0.1 (DNS rebinding), nor
 * by requests that browsers send for any page.
 */

failOnLeaks();
const server = serverOfFile({ publicUrl: 'https://hooks.example.com' });

const CREDENTIALS = { email: 'eve@example.com', password: 'eve was here too' };
const REBOUND = 'evil.example:8484';

describe('a Host that is not ours', () => {
  test.each([
    ['POST', '/api/auth/register'],
    ['POST', '/api/auth/login'],
    ['GET', '/api/me'],
    ['GET', '/api/openapi.json'],
    ['GET', '/metrics'],
    ['GET', '/'],
    ['GET', '/assets/none.js'],
    ['GET', '/dashboard/session'],
    ['POST', '/dashboard/session/register'],
    ['OPTIONS', '/api/me'],
    ['GET', '/nothing'],
  ])('%s %s answers 403 host_not_allowed', async (method, path) => {
    const body = method === 'POST' ? CREDENTIALS : undefined;
    const headers = {
      host: REBOUND,
      origin: `http://${REBOUND}`,
      'sec-fetch-site': 'same-origin',
      'x-hookrelay-page': '1',
    };
    const answer = await callApi(server, method, path, body, { headers });
    expect([answer.status, answer.json.error.code]).toEqual([403, 'host_not_allowed']);
    expect(answer.json.error.hint).toContain('--public-url');
    expect(answer.text).not.toContain('evil');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each(['/healthz', '/readyz', '/readyz?x'])('is accepted at %s, for probes', async (path) => {
    const answer = await callApi(server, 'GET', path, undefined, { headers: { host: REBOUND } });
    expect([answer.status, answer.json]).toEqual([200, { status: 'ok' }]);
  });

  test('is accepted at a capture URL', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const id = await capture(`${server.url}/in/${endpoint.public_token}`, '{}', {
      headers: { host: REBOUND },
    });
    expect((await account.event(endpoint, id)).id).toBe(id);
  });

  test('created no account', async () => {
    const answer = await callApi(server, 'POST', '/api/auth/login', CREDENTIALS);
    expect(answer.json.error.code).toBe('invalid_credentials');
  });
});

describe('a Host that is ours', () => {
  test.each([
    ...['localhost', 'localhost:1', 'LOCALHOST', 'app.localhost:8484', '127.0.0.1', '127.0.0.1:80'],
    ...['127.8.9.10:8484', '[::1]', '[::1]:8484', 'hooks.example.com', 'hooks.example.com:8443'],
  ])('%s is accepted', async (host) => {
    const answer = await callApi(server, 'GET', '/api/me', undefined, { headers: { host } });
    expect([answer.status, answer.json.error.code]).toEqual([401, 'missing_token']);
  });

  test('is our name or the public one behind a proxy on this machine', async () => {
    const proxied = await runServer({
      publicUrl: 'https://hooks.example.com',
      trustProxy: ['127.0.0.1'],
    });
    for (const host of [new URL(proxied.url).host, 'hooks.example.com']) {
      const page = {
        host,
        origin: 'https://hooks.example.com',
        'x-forwarded-for': '203.0.113.9',
        'x-hookrelay-page': '1',
      };
      const email = `${host.length}@example.com`;
      const answer = await callApi(
        proxied,
        'POST',
        '/dashboard/session/register',
        { ...CREDENTIALS, email },
        { headers: page },
      );
      proxied.secrets.push(CREDENTIALS.password, expectStatus(201, answer).accessToken);
    }
  });
});

test('names of a loopback server', () => {
  const hosts = new OwnHosts();
  hosts.add('laptop.lan');
  hosts.add('https://abc.trycloudflare.com');
  const ours = ['laptop.lan:8484', 'abc.trycloudflare.com', 'LapTop.lan', '127.1'];
  const others = [
    ...['127.evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', 'evillocalhost'],
    ...['lan', 'x.laptop.lan', '128.0.0.1', '10.0.0.1', '[::2]', '0.0.0.0', '', '%'],
  ];
  expect(ours.filter((host) => !hosts.takes(host))).toEqual([]);
  expect(others.filter((host) => hosts.takes(host))).toEqual([]);
});

describe('a page of another site', () => {
  /** Headers that need no preflight: a form's content type, no custom header. */
  const SIMPLE = { 'content-type': 'text/plain' };
  const FOREIGN: [string, Record<string, string>][] = [
    ['elsewhere', { origin: 'https://evil.example' }],
    ['on another port', { origin: 'http://127.0.0.1:3000' }],
    ['in a sandbox', { origin: 'null' }],
    [
      'elsewhere, as newer browsers say',
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ],
    [
      'on another port, as newer browsers say',
      { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
    ],
  ];
  const reachable = serverOfFile({ host: '0.0.0.0' });
  test.each<[string, TestServer]>([
    ['on loopback', server],
    ['where others reach it', reachable],
  ])('cannot log in, register or refresh %s', async (_, running) => {
    const account = await register(running);
    const { email, password, refreshToken } = account;
    for (const [name, headers] of FOREIGN) {
      for (const [path, body] of [
        ['/api/auth/register', CREDENTIALS],
        ['/api/auth/login', { email, password }],
        ['/api/auth/refresh', { refreshToken }],
        ['/api/auth/logout', { refreshToken }],
      ] as const) {
        const answer = await callApi(running, 'POST', path, JSON.stringify(body), {
          headers: { ...SIMPLE, ...headers },
        });
        const seen = [name, path, answer.status, answer.json.error.code];
        expect(seen).toEqual([name, path, 403, 'cross_origin']);
      }
    }
    const refreshed = await callApi(running, 'POST', '/api/auth/refresh', { refreshToken });
    const { accessToken } = expectStatus(200, refreshed);
    running.secrets.push(accessToken);
  });

  test('reaches a server by any name where others reach it: its names are unknown', async () => {
    const answer = await callApi(reachable, 'GET', '/api/openapi.json', undefined, {
      headers: { host: REBOUND },
    });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['programs, which say nothing', {}],
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1' }],
    ['an extension', { 'sec-fetch-site': 'none', origin: 'chrome-extension://abc' }],
    ['a page of the public URL', { origin: 'https://hooks.example.com' }],
  ] as [string, Record<string, string>][])('but %s can', async (_, headers) => {
    const { email, password } = await register(server);
    const answer = await callApi(
      server,
      'POST',
      '/api/auth/login',
      { email, password },
      { headers },
    );
    const { accessToken, refreshToken } = expectStatus(200, answer);
    server.secrets.push(accessToken, refreshToken);
  });
});
