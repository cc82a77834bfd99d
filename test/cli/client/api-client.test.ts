import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  ApiClient,
  connectionOf,
  type ServerConnection,
} from '../../../src/cli/client/api-client.ts';
import { connectionFailure } from '../../../src/cli/client/connection-failure.ts';
import { eventParams } from '../../../src/cli/client/event-params.ts';
import { type Profile, ProfileFile } from '../../../src/cli/client/profile.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { type HttpReceiver, hang, httpReceiver, type Respond } from '../../fixtures/receiver.ts';
import { tempDir } from '../../fixtures/running-server.ts';

failOnLeaks();

const REFRESH = '/api/auth/refresh';

function json(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  res.end(JSON.stringify(value));
}

const error = (res: ServerResponse, status: number, code: string) =>
  json(res, status, { error: { code, message: `it is ${code}` } });

/**
 * Accepts one access token, and answers a refresh token that ends in a number with
 * the next pair.
 */
const api =
  (good: string, refresh: Respond): Respond =>
  (request, res) => {
    if (request.target === REFRESH) refresh(request, res);
    else if (request.headers.authorization === `Bearer ${good}`) json(res, 200, { ok: true });
    else error(res, 401, 'token_expired');
  };

function profileIn(home = tempDir()): ProfileFile {
  return new ProfileFile('default', { XDG_CONFIG_HOME: home });
}

function loggedIn(
  server: { url: string },
  accessToken = 'old',
): { file: ProfileFile; saved: Profile } {
  const file = profileIn();
  const saved = { url: server.url, email: 'ada@example.com', accessToken, refreshToken: 'r0' };
  file.write(saved);
  return { file, saved };
}

function clientOf(file: ProfileFile, more: Partial<ServerConnection> = {}): ApiClient {
  return new ApiClient({ ...connectionOf(file, {}, {}), ...more });
}

const refreshes = ({ requests }: HttpReceiver) =>
  requests.filter(({ target }) => target === REFRESH).length;

test('an event’s head is returned without waiting for its body', async () => {
  const server = await httpReceiver((_request, res) => {
    // The response has a body whose rest never arrives.
    res.write('{"endpoint_id":"ep_1","headers":{"body":"x"},"deliveries":[],');
    res.write('"body_encoding":"text","body":"beginning');
  });
  const { file } = loggedIn(server);
  expect(await eventParams(clientOf(file), 'evt_1')).toEqual({ id: 'ep_1', eventId: 'evt_1' });
});

describe('a refresh', () => {
  test('is made once for concurrent calls, and remembered', async () => {
    const server = await httpReceiver(
      api('new', (_request, res) => json(res, 200, { accessToken: 'new', refreshToken: 'r1' })),
    );
    const { file, saved } = loggedIn(server);
    const client = clientOf(file);
    const calls = Array.from({ length: 5 }, () => client.call('GET /api/endpoints'));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 5 }, () => ({ ok: true })));
    expect(refreshes(server)).toBe(1);
    expect(file.read()).toEqual({ ...saved, accessToken: 'new', refreshToken: 'r1' });
  });

  test('is asked for again when its answer gets lost', async () => {
    const server = await httpReceiver(
      api('new', (_request, res) => {
        if (refreshes(server) === 1) res.destroy();
        else json(res, 200, { accessToken: 'new', refreshToken: 'r1' });
      }),
    );
    const { file } = loggedIn(server);
    expect(await clientOf(file).call('GET /api/me')).toEqual({ ok: true });
    expect(refreshes(server)).toBe(2);
    expect(file.read()?.refreshToken).toBe('r1');
  });

  test('by another command is used, not repeated', async () => {
    const server = await httpReceiver(api('new', (_request, res) => error(res, 500, 'internal')));
    const { file, saved } = loggedIn(server);
    const client = clientOf(file);
    file.write({ ...saved, accessToken: 'new', refreshToken: 'r1' });
    expect(await client.call('GET /api/me')).toEqual({ ok: true });
    expect(refreshes(server)).toBe(0);
  });

  test('that lost the race does not log out', async () => {
    const { file, saved } = loggedIn({ url: 'http://x' });
    const server = await httpReceiver(
      api('new', (_request, res) => {
        // Another command refreshed so much earlier that this token counts as
        // stolen.
        file.write({ ...saved, url: server.url, accessToken: 'new', refreshToken: 'r1' });
        error(res, 401, 'invalid_token');
      }),
    );
    file.write({ ...saved, url: server.url });
    expect(await clientOf(file).call('GET /api/me')).toEqual({ ok: true });
    expect(file.read()?.refreshToken).toBe('r1');
  });

  test('does not undo a logout, nor a login to another account', async () => {
    const { file, saved } = loggedIn({ url: 'http://x' });
    const other = { ...saved, email: 'grace@example.com', refreshToken: 'g0' };
    let meanwhile = () => file.remove();
    const server = await httpReceiver(
      api('new', (_request, res) => {
        meanwhile();
        json(res, 200, { accessToken: 'new', refreshToken: 'r1' });
      }),
    );
    file.write({ ...saved, url: server.url });
    await clientOf(file).call('GET /api/me');
    expect(file.read()).toBeNull();

    meanwhile = () => file.write(other);
    file.write({ ...saved, url: server.url });
    await clientOf(file).call('GET /api/me');
    expect(file.read()).toEqual(other);
  });

  test('that is refused names the command to run', async () => {
    const server = await httpReceiver(
      api('new', (_request, res) => error(res, 401, 'invalid_token')),
    );
    const { file } = loggedIn(server);
    await expect(clientOf(file).call('GET /api/me')).rejects.toMatchObject({
      code: 'not_logged_in',
      message: 'the session has ended',
      hint: 'run hookrelay login',
    });
  });

  test('never happens with an API token', async () => {
    const server = await httpReceiver(api('new', (_request, res) => error(res, 500, 'internal')));
    const { file } = loggedIn(server);
    const client = clientOf(file, { apiToken: 'hr_revoked' });
    await expect(client.call('GET /api/me')).rejects.toMatchObject({
      code: 'token_expired',
      hint: expect.stringContaining('HOOKRELAY_TOKEN'),
    });
    expect(refreshes(server)).toBe(0);
  });
});

describe('tokens', () => {
  test('of one server are never sent to another', async () => {
    const other = await httpReceiver();
    const { file } = loggedIn({ url: 'http://127.0.0.1:1' });
    const client = clientOf(file, { url: other.url });
    await expect(client.call('GET /api/me')).rejects.toMatchObject({
      code: 'not_logged_in',
      message: `nobody is logged in at ${other.url} (profile default is for http://127.0.0.1:1)`,
    });
    expect(other.requests).toEqual([]);
  });

  test('are not sent along a redirect', async () => {
    const other = await httpReceiver();
    const server = await httpReceiver((_request, res) => {
      res.writeHead(302, { location: `${other.url}/login`, connection: 'close' }).end();
    });
    const { file } = loggedIn(server);
    await expect(
      clientOf(file).call('POST /api/endpoints', { body: { name: 'a' } }),
    ).rejects.toMatchObject({
      message: `${server.url} redirects to ${other.url}`,
      hint: `try --url ${other.url}`,
    });
    expect(other.requests).toEqual([]);
  });

  test('that no header can carry are refused', () => {
    expect(() => connectionOf(profileIn(), {}, { HOOKRELAY_TOKEN: 'hr_é' })).toThrow('not a token');
    expect(connectionOf(profileIn(), {}, { HOOKRELAY_TOKEN: ' hr_x\n' }).apiToken).toBe('hr_x');
  });
});

test('flags win over the environment, then the profile, then this machine’s account', () => {
  const { file } = loggedIn({ url: 'http://profile' });
  const env = { HOOKRELAY_URL: 'http://env/' };
  expect(connectionOf(file, { url: 'http://flag/' }, env).url).toBe('http://flag');
  expect(connectionOf(file, {}, env).url).toBe('http://env');
  expect(connectionOf(file, {}, {}).url).toBe('http://profile');
  expect(connectionOf(profileIn(), {}, {}).url).toBe('http://127.0.0.1:8484');
});

describe('an answer', () => {
  async function answeredBy(respond: Respond) {
    const server = await httpReceiver(respond);
    return clientOf(profileIn(), { url: server.url, apiToken: 'hr_x' });
  }

  const page: Respond = (_request, res) => {
    res.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end('<h1>Hello</h1>');
  };

  test('that is no JSON does not come from hookrelay', async () => {
    const client = await answeredBy(page);
    await expect(client.call('GET /api/me')).rejects.toMatchObject({
      code: 'api_error',
      hint: expect.stringContaining('is that a hookrelay server?'),
    });
  });

  test.each([
    '',
    '<h1>Not found</h1>',
    '[]',
    'null',
    '{"error":"x"}',
    '{"error":{}}',
    '{"error":{"code":1,"message":{}}}',
  ])('of 404 with %s does not come from hookrelay', async (text) => {
    const client = await answeredBy((_request, res) => {
      res.writeHead(404, { connection: 'close' }).end(text);
    });
    await expect(client.call('GET /api/me')).rejects.toMatchObject({
      code: 'api_error',
      message: `${client.url} answered 404`,
    });
  });

  test('with an error shows all that is wrong', async () => {
    const issues = [
      { path: 'name', message: 'must not be empty' },
      { path: 'response.status', message: 'must be a number' },
    ];
    const client = await answeredBy((_request, res) =>
      json(res, 400, {
        error: { code: 'invalid_input', message: 'name: must not be empty', issues },
      }),
    );
    await expect(client.call('POST /api/endpoints', { body: { name: '' } })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'name: must not be empty; response.status: must be a number',
    });
  });

  test('keeps __proto__ as a plain name, numbers in text, and bytes', async () => {
    const text = '{"__proto__":{"a":1},"n":1.0}';
    const client = await answeredBy((_request, res) => {
      res.writeHead(200, { connection: 'close' }).end(text);
    });
    expect(Object.keys(await client.call('GET /api/me'))).toEqual(['__proto__', 'n']);
    expect(await client.call('GET /api/me', { as: 'text' })).toBe(text);
    expect(await client.call('GET /api/me', { as: 'bytes' })).toEqual(Buffer.from(text));
  });

  test('without a body is undefined, or no bytes', async () => {
    const client = await answeredBy((_request, res) => {
      res.writeHead(204, { connection: 'close' }).end();
    });
    expect(
      await client.call('DELETE /api/tokens/{tokenId}', { params: { tokenId: 't' } }),
    ).toBeUndefined();
    expect(await client.call('GET /api/me', { as: 'bytes' })).toEqual(Buffer.alloc(0));
  });

  test('arrives for query texts unchanged', async () => {
    const server = await httpReceiver((_request, res) => json(res, 200, {}));
    const client = clientOf(profileIn(), { url: server.url, apiToken: 'hr_x' });
    await client.call('GET /api/events', {
      query: { view: 'summary', q: 'a+b &=%é"', page: 2, type: undefined, where: '' },
    });
    const { searchParams } = new URL(server.requests[0]?.target as string, server.url);
    expect([...searchParams]).toEqual([
      ['view', 'summary'],
      ['q', 'a+b &=%é"'],
      ['page', '2'],
    ]);
  });
});

describe('a missing answer', () => {
  const lost: Respond = (_request, res) => void res.destroy();
  const busyProxy: Respond = (_request, res) => {
    res.writeHead(502, { 'content-type': 'text/html', connection: 'close' }).end('<h1>Bad</h1>');
  };

  test.each([
    ['a lost connection', lost],
    ['a proxy without its server', busyProxy],
  ])('because of %s is asked for once more, if the call only reads', async (_what, respond) => {
    const server = await httpReceiver((request, res) => {
      if (server.requests.length === 1) respond(request, res);
      else json(res, 200, { ok: true });
    });
    const client = clientOf(profileIn(), { url: server.url, apiToken: 'hr_x' });
    expect(await client.call('GET /api/me')).toEqual({ ok: true });
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['a lost connection', lost, 'server_unreachable'],
    ['a proxy without its server', busyProxy, 'api_error'],
  ])('because of %s is an error, if the call writes', async (_what, respond, code) => {
    const server = await httpReceiver(respond);
    const client = clientOf(profileIn(), { url: server.url, apiToken: 'hr_x' });
    const call = client.call('POST /api/endpoints', { body: { name: 'a' } });
    await expect(call).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Respond]>([
    ['never comes', hang],
    [
      'drips',
      (_request, res) => {
        res.writeHead(200).write('{');
      },
    ],
  ])('that %s ends at the deadline', async (_what, respond) => {
    const server = await httpReceiver(respond);
    const client = clientOf(profileIn(), { url: server.url, apiToken: 'hr_x' });
    await expect(client.call('GET /api/me', { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'server_unreachable',
      message: `${server.url} did not answer within 50ms`,
    });
  });

  test('is not waited for when the caller gives up', async () => {
    const server = await httpReceiver(hang);
    const client = clientOf(profileIn(), { url: server.url, apiToken: 'hr_x' });
    const reason = new Error('enough');
    const call = client.call('GET /api/me', { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
  });

  test('from an unused port names the command to run', async () => {
    const server = await httpReceiver();
    await server.close();
    const client = clientOf(profileIn(), { url: server.url, apiToken: 'hr_x' });
    await expect(client.call('GET /api/me')).rejects.toMatchObject({
      code: 'server_unreachable',
      message: `no hookrelay answers at ${server.url}: the connection is refused`,
      hint: 'start one with hookrelay serve, or name another with --url or HOOKRELAY_URL',
    });
  });

  test.each([
    ['ENOTFOUND', 'there is no host with that name', 'name another'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted', 'NODE_EXTRA_CA_CERTS'],
    ['CERT_HAS_EXPIRED', 'its certificate is not trusted', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS', 'try --url http://x'],
    ['UND_ERR_SOCKET', 'the connection failed (UND_ERR_SOCKET)', 'hookrelay serve'],
  ])('because of %s is explained in words', (code, message, hint) => {
    const cause = new AggregateError([Object.assign(new Error('connect'), { code })]);
    const failed = connectionFailure(new TypeError('fetch failed', { cause }), 'https://x', null);
    expect(failed.message).toContain(message);
    expect(failed.hint).toContain(hint);
  });
});
