import { describe, expect, test } from 'vitest';
import { type Account, callApi, capture, register } from '../fixtures/account.ts';
import type { Answer } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { SHOWN_DEFAULTS, SHOWN_FRESH } from '../fixtures/new-destination.ts';
import { NO_DELIVERIES } from '../fixtures/no-deliveries.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { runServer, serverOfFile } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

/*
 * The contract (api-spec.md), operation by operation, with the decisions on its
 * gaps that a client can see. The event list has its own file.
 */

failOnLeaks();
const server = serverOfFile();

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const text = expect.any(String);
const time = expect.stringMatching(ISO);

/** An error answer: its status and shape, with nothing else. */
function expectError(answer: Answer, status: number, code: string, issuePath?: string): void {
  expect({ status: answer.status, body: answer.json }).toEqual({
    status,
    body: { error: expect.objectContaining({ code, message: expect.stringMatching(/./) }) },
  });
  expect(answer.headers['content-type']).toBe('application/json');
  const known = new Set(['code', 'message', 'hint', 'issues']);
  expect(Object.keys(answer.json.error).filter((key) => !known.has(key))).toEqual([]);
  if (issuePath !== undefined) {
    expect(answer.json.error.issues).toContainEqual({ path: issuePath, message: text });
  }
}

describe('auth', () => {
  const password = 'correct horse';

  test('register answers 201 with user and tokens, and never the password', async () => {
    const body = { email: ' Grace@Example.com ', password };
    const answer = await callApi(server, 'POST', '/api/auth/register', body);
    expect(answer.status).toBe(201);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json).toEqual({
      user: { id: expect.stringMatching(/^usr_/), email: 'grace@example.com', plan: 'free' },
      accessToken: text,
      refreshToken: text,
    });
    expect(answer.text).not.toContain(password);
    expectError(await callApi(server, 'POST', '/api/auth/register', body), 409, 'email_taken');
  });

  test('login answers 200, or the same 401 for a wrong password and an unknown email', async () => {
    const { email, password, id } = await register(server);
    const right = await callApi(server, 'POST', '/api/auth/login', { email, password });
    expect(right.status).toBe(200);
    expect(right.json).toEqual({
      user: { id, email, plan: 'free' },
      accessToken: text,
      refreshToken: text,
    });
    const wrong = await callApi(server, 'POST', '/api/auth/login', { email, password: 'wrong' });
    const nobody = await callApi(server, 'POST', '/api/auth/login', {
      email: 'nobody@example.com',
      password,
    });
    expectError(wrong, 401, 'invalid_credentials');
    expect(nobody.json).toEqual(wrong.json);
    expect(nobody.status).toBe(wrong.status);
  });

  test('refresh answers 200 with a new pair that works', async () => {
    const account = await register(server);
    const body = { refreshToken: account.refreshToken };
    const { status, json } = await callApi(server, 'POST', '/api/auth/refresh', body);
    expect(status).toBe(200);
    expect(json).toEqual({ accessToken: text, refreshToken: text });
    expect(json.refreshToken).not.toBe(account.refreshToken);
    const headers = { authorization: `Bearer ${json.accessToken}` };
    const me = await callApi(server, 'GET', '/api/me', undefined, { headers });
    expect(me.json).toMatchObject({ id: account.id, email: account.email, plan: 'free' });
    const bad = await callApi(server, 'POST', '/api/auth/refresh', { refreshToken: 'x' });
    expectError(bad, 401, 'invalid_token');
  });

  test('the access token is a JWT of 15 minutes', async () => {
    const { accessToken } = await register(server);
    const [head, claims] = accessToken
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(head).toMatchObject({ alg: 'HS256', typ: 'at+jwt' });
    expect(claims.exp - claims.iat).toBe(15 * 60);
  });

  test.each([
    ['register', { password: 'long enough' }, 'email'],
    ['register', { email: 'a@example.com' }, 'password'],
    ['register', { email: 'a@example.com', password: 'short' }, 'password'],
    ['register', { email: 'a@example.com', password: 12345678 }, 'password'],
    ['register', { email: 'not an address', password: 'long enough' }, 'email'],
    ['register', { email: ['a@example.com'], password: 'long enough' }, 'email'],
    ['register', { email: null, password: 'long enough' }, 'email'],
    ['login', { email: 'a@example.com' }, 'password'],
    ['login', { password: 'long enough' }, 'email'],
    ['refresh', {}, 'refreshToken'],
    ['refresh', { refreshToken: 7 }, 'refreshToken'],
  ])('%s with %j answers 400', async (operation, body, issue) => {
    const answer = await callApi(server, 'POST', `/api/auth/${operation}`, body);
    expectError(answer, 400, 'invalid_input', issue);
  });
});

describe('tokens', () => {
  test.each([
    ['none', {}, 'missing_token', 'Bearer'],
    ['garbage', { authorization: 'Bearer x.y.z' }, 'invalid_token', 'Bearer error="invalid_token"'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'invalid_token', text],
    [
      'an API token that is none',
      { authorization: `Bearer hr_${'a'.repeat(43)}` },
      'invalid_token',
      text,
    ],
  ])('%s answers 401 with www-authenticate', async (_name, headers, code, challenge) => {
    const answer = await callApi(server, 'GET', '/api/endpoints', undefined, { headers });
    expectError(answer, 401, code);
    expect(answer.headers['www-authenticate']).toEqual(challenge);
  });

  test('an API token may do what its account may', async () => {
    const account = await register(server);
    const made = await account.call('POST', '/api/tokens', { name: 'ci' });
    expect(made.status).toBe(201);
    server.secrets.push(made.json.token);
    const headers = { authorization: `Bearer ${made.json.token}` };
    const listed = await callApi(server, 'GET', '/api/endpoints', undefined, { headers });
    expect(listed.json).toEqual([]);
    expect((await account.call('DELETE', `/api/tokens/${made.json.id}`)).status).toBe(204);
    const after = await callApi(server, 'GET', '/api/endpoints', undefined, { headers });
    expectError(after, 401, 'invalid_token');
  });
});

describe('endpoints', () => {
  test('create answers 201 with exactly the fields, active, and a URL that captures', async () => {
    const account = await register(server);
    const answer = await account.call('POST', '/api/endpoints', { name: '  Stripe  ' });
    expect(answer.status).toBe(201);
    const endpoint = answer.json;
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^ep_/),
      name: 'Stripe',
      public_token: expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/),
      is_active: true,
      created_at: time,
      capture_url: `${server.url}/in/${endpoint.public_token}`,
      response: null,
      retention: null,
      expect_every: null,
      source: null,
      dedupe: null,
      on_unjudged: 'deliver',
      guessed: null,
    });
    await capture(endpoint.capture_url);
    expect((await account.list(endpoint)).total).toBe(1);
  });

  test('its URL begins with --public-url if set', async () => {
    const behind = await runServer({ publicUrl: 'https://hooks.example.com' });
    const endpoint = await (await register(behind)).createEndpoint();
    expect(endpoint.capture_url).toBe(`https://hooks.example.com/in/${endpoint.public_token}`);
    const { json } = await callApi(behind, 'GET', '/api/openapi.json');
    expect(json.servers).toEqual([{ url: 'https://hooks.example.com' }]);
  });

  test('list is an array of the account’s own, newest first', async () => {
    const account = await register(server);
    const stranger = await register(server);
    expect((await account.call('GET', '/api/endpoints')).json).toEqual([]);
    const one = await account.createEndpoint({ name: 'one' });
    const two = await account.createEndpoint({ name: 'two' });
    await stranger.createEndpoint({ name: 'another’s' });
    const { status, json } = await account.call('GET', '/api/endpoints');
    expect(status).toBe(200);
    expect(json).toEqual([two, one]);
  });

  test('get, rename, pause and resume work', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint({ name: 'before' });
    const path = `/api/endpoints/${endpoint.id}`;
    expect((await account.call('GET', path)).json).toEqual(endpoint);

    const renamed = await account.call('PATCH', path, { name: 'after' });
    expect(renamed.status).toBe(200);
    expect(renamed.json).toEqual({ ...endpoint, name: 'after' });
    const paused = await account.call('PATCH', path, { is_active: false });
    expect(paused.json).toEqual({ ...endpoint, name: 'after', is_active: false });
    expect((await account.call('PATCH', path, {})).json).toEqual(paused.json);
    const resumed = await account.call('PATCH', path, { is_active: true, name: 'again' });
    expect(resumed.json).toEqual({ ...endpoint, name: 'again' });
    expect((await account.call('GET', path)).json).toEqual(resumed.json);
  });

  test('its own response can be set, changed and removed', async () => {
    const account = await register(server);
    const response = { status: 202, content_type: 'text/plain', body: 'thanks' };
    const endpoint = await account.createEndpoint({ response });
    expect(endpoint.response).toEqual(response);
    const path = `/api/endpoints/${endpoint.id}`;
    const least = await account.call('PATCH', path, { response: { status: 200 } });
    expect(least.json.response).toEqual({
      status: 200,
      content_type: 'application/json',
      body: '',
    });
    expect((await account.call('PATCH', path, { name: 'x' })).json.response).toEqual(
      least.json.response,
    );
    expect((await account.call('PATCH', path, { response: null })).json.response).toBeNull();
  });

  test('its response has headers, and members that fit its status', async () => {
    const account = await register(server);
    const headers = { Location: 'https://a.example/b?c=d', 'Retry-After': '120', 'X-A': 'b c' };
    const endpoint = await account.createEndpoint({ response: { status: 303, headers } });
    expect(endpoint.response).toEqual({
      status: 303,
      content_type: 'application/json',
      body: '',
      headers,
    });
    const path = `/api/endpoints/${endpoint.id}`;
    for (const [given, shown] of [
      [{ status: 204 }, { status: 204, content_type: null, body: '' }],
      [
        { status: 204, content_type: 'text/plain', body: '' },
        { status: 204, content_type: 'text/plain', body: '' },
      ],
      [
        { status: 307, content_type: null, headers: { location: '../up' } },
        { status: 307, content_type: null, body: '', headers: { location: '../up' } },
      ],
      [
        { status: 201, body: '{}', headers: {} },
        { status: 201, content_type: 'application/json', body: '{}' },
      ],
    ]) {
      expect((await account.call('PATCH', path, { response: given })).json.response).toEqual(shown);
      expect((await account.call('GET', path)).json.response).toEqual(shown);
    }
  });

  test.each<[response: object, issue: string]>([
    [{ status: 204, body: 'x' }, 'body'],
    [{ status: 205, body: 'x' }, 'body'],
    [{ status: 304, content_type: 'text/plain', body: 'x' }, 'body'],
    [{ status: 200, content_type: null, body: 'x' }, 'content_type'],
    [{ status: 101 }, 'status'],
    ...[301, 302, 303, 307, 308].map((status): [object, string] => [
      { status },
      'headers.location',
    ]),
    [{ status: 302, headers: { location: 'javascript:alert(1)' } }, 'headers.location'],
    [{ status: 302, headers: { LOCATION: 'http://[' } }, 'headers.LOCATION'],
    [{ status: 200, headers: { location: '/a b' } }, 'headers.location'],
    [{ status: 200, headers: { location: '/a\nb' } }, 'headers.location'],
    [{ status: 200, headers: 'x-a: b' }, 'headers'],
    [{ status: 200, headers: { 'x-a': 'b\r\nc: d' } }, 'headers.x-a'],
    [{ status: 200, headers: { 'x-a': 'é' } }, 'headers.x-a'],
    [{ status: 200, headers: { 'x-a': '' } }, 'headers.x-a'],
    [{ status: 200, headers: { 'x a': 'b' } }, 'headers.x a'],
    [{ status: 200, headers: { 'x-a': 'b', 'X-A': 'c' } }, 'headers.X-A'],
    [{ status: 200, headers: { 'x-a': 'b'.repeat(4094) } }, 'headers'],
    [
      {
        status: 200,
        headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, 'y'])),
      },
      'headers',
    ],
    ...[
      'Content-Length',
      'content-type',
      'content-encoding',
      'transfer-encoding',
      'connection',
      'keep-alive',
      'te',
      'trailer',
      'upgrade',
      'date',
      'proxy-authenticate',
      'Set-Cookie',
      'clear-site-data',
      'access-control-allow-credentials',
      'content-security-policy',
      'x-content-type-options',
      'cache-control',
      'strict-transport-security',
      'service-worker-allowed',
      'www-authenticate',
      'alt-svc',
      'refresh',
      'report-to',
      'nel',
      'X-Accel-Redirect',
      'x-sendfile',
      'surrogate-control',
      'x-hookrelay-event-id',
    ].map((name): [object, string] => [
      { status: 200, headers: { [name]: 'x' } },
      `headers.${name}`,
    ]),
  ])('a response, case %#, answers 400', async (response, issue) => {
    const account = await register(server);
    const answer = await account.call('POST', '/api/endpoints', { name: 'x', response });
    expectError(answer, 400, 'invalid_input', `response.${issue}`);
  });

  test('delete answers 204 without a body, and every read then answers 404', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const eventId = await capture(endpoint.capture_url);
    const path = `/api/endpoints/${endpoint.id}`;
    const answer = await account.call('DELETE', path);
    expect(answer.status).toBe(204);
    expect(answer.body).toHaveLength(0);
    expect(answer.headers['content-type']).toBeUndefined();

    const gone: [string, string, string?][] = [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['GET', `${path}/events`],
      ['GET', `${path}/events/${eventId}`],
      ['GET', `/api/events/${eventId}`, 'event_not_found'],
    ];
    for (const [method, at, code = 'endpoint_not_found'] of gone) {
      expectError(await account.call(method, at), 404, code);
    }
    expect((await account.call('GET', '/api/endpoints')).json).toEqual([]);
    const late = await callApi(server, 'POST', `/in/${endpoint.public_token}`, {});
    expectError(late, 404, 'endpoint_not_found');
  });

  test.each([
    ['POST', {}, 'name'],
    ['POST', { name: '' }, 'name'],
    ['POST', { name: '   ' }, 'name'],
    ['POST', { name: 7 }, 'name'],
    ['POST', { name: null }, 'name'],
    ['POST', { name: 'x'.repeat(201) }, 'name'],
    ['POST', { name: '🪝'.repeat(201) }, 'name'],
    ['POST', { name: 'half a pair: \ud83e' }, 'name'],
    ['POST', { name: '\udc00 the other half' }, 'name'],
    ['POST', { name: 'a\0b' }, 'name'],
    ['POST', { name: 'a\nb' }, 'name'],
    ['POST', { name: '\u001b]0;owned\u0007' }, 'name'],
    ['POST', { name: '\u009b2J' }, 'name'],
    ['POST', { name: 'a\u2028b' }, 'name'],
    ['PATCH', { name: 'a\u0085b' }, 'name'],
    ['POST', { name: 'x', response: { status: 99 } }, 'response.status'],
    ['POST', { name: 'x', response: { status: 200.5 } }, 'response.status'],
    ['POST', { name: 'x', response: { status: 600 } }, 'response.status'],
    ['POST', { name: 'x', response: { status: 200, body: 'x'.repeat(16_385) } }, 'response.body'],
    [
      'POST',
      { name: 'x', response: { status: 200, content_type: 'a\r\nb: c' } },
      'response.content_type',
    ],
    [
      'POST',
      { name: 'x', response: { status: 200, content_type: 'no media type' } },
      'response.content_type',
    ],
    ['PATCH', { response: { status: 200, content_type: 'text' } }, 'response.content_type'],
    ['PATCH', { is_active: 'false' }, 'is_active'],
    ['PATCH', { is_active: null }, 'is_active'],
    ['PATCH', { is_active: 0 }, 'is_active'],
    ['PATCH', { name: '' }, 'name'],
    ['PATCH', { name: {} }, 'name'],
  ])('%s, case %#, answers 400', async (method, body, issue) => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const path = method === 'POST' ? '/api/endpoints' : `/api/endpoints/${endpoint.id}`;
    expectError(await account.call(method, path, body), 400, 'invalid_input', issue);
    expect((await account.call('GET', '/api/endpoints')).json).toEqual([endpoint]);
  });

  test('the longest name has 200 characters, where an emoji counts as one', async () => {
    const account = await register(server);
    for (const name of ['x'.repeat(200), '🪝'.repeat(200)]) {
      expect((await account.createEndpoint({ name })).name).toBe(name);
    }
  });

  test.each([
    '名前',
    'ñ é',
    '👩‍👩‍👧‍👦',
    '__proto__',
    '</script>',
    "'; DROP TABLE endpoints",
    'a\u202eb',
  ])('a name can be %j', async (name) => {
    const account = await register(server);
    await account.createEndpoint({ name });
    expect((await account.call('GET', '/api/endpoints')).json).toMatchObject([{ name }]);
  });
});

describe('destinations', () => {
  async function setup(): Promise<{ account: Account; path: string }> {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    return { account, path: `/api/endpoints/${endpoint.id}/destinations` };
  }

  test('add answers 201 with the secret masked, or without it', async () => {
    const { account, path } = await setup();
    const cases: [string | null | undefined, string | undefined, string[]?][] = [
      [undefined, undefined],
      [null, undefined],
      ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', '********b7oD'],
      ['12345678', '********', ['weak_secret']],
      ['123456789', '********6789', ['weak_secret']],
      ['x', '********', ['weak_secret']],
    ];
    const added = [];
    for (const [i, [secret, masked, codes]] of cases.entries()) {
      const url = `https://198.51.100.1/hook/${i}`;
      const { status, json } = await account.call('POST', path, { url, secret });
      expect(status).toBe(201);
      const { warnings, ...destination } = json;
      expect(warnings?.map(({ code }: { code: string }) => code)).toEqual(codes);
      expect(destination).toEqual({
        id: expect.stringMatching(/^dst_/),
        ...SHOWN_DEFAULTS,
        ...SHOWN_FRESH,
        url,
        created_at: time,
        ...(masked !== undefined && { secret: masked }),
      });
      added.unshift(destination);
    }
    const listed = await account.call('GET', path);
    expect(listed.status).toBe(200);
    expect(listed.json).toEqual(added);
    expect(listed.text).not.toContain('C2FVsBQ');
  });

  test('a secret that receivers would read differently is refused, and the answer names the valid forms', async () => {
    const { account, path } = await setup();
    const body = { url: 'https://198.51.100.1/', secret: 'whsec_C2FVsBQIhrscChlQIMV-b5sSYspob7oD' };
    const { text, json } = await account.call('POST', path, body);
    expect(json.error.message).toBe(
      'secret: must be whsec_ and standard base64 with its padding, or a text that does not begin with whsec_',
    );
    expect(text).not.toContain('C2FVsBQ');
  });

  test('remove answers 204 once, then 404', async () => {
    const { account, path } = await setup();
    const { json } = await account.call('POST', path, { url: 'https://198.51.100.1/' });
    const answer = await account.call('DELETE', `${path}/${json.id}`);
    expect(answer.status).toBe(204);
    expect(answer.body).toHaveLength(0);
    expect((await account.call('GET', path)).json).toEqual([]);
    expectError(await account.call('DELETE', `${path}/${json.id}`), 404, 'destination_not_found');
  });

  test('a destination of another endpoint of the account is not found', async () => {
    const { account, path } = await setup();
    const { json } = await account.call('POST', path, { url: 'https://198.51.100.1/' });
    const other = await account.createEndpoint();
    const there = `/api/endpoints/${other.id}/destinations/${json.id}`;
    expectError(await account.call('DELETE', there), 404, 'destination_not_found');
    expect((await account.call('GET', path)).json).toHaveLength(1);
  });

  test.each([
    [{}, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'not a url' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'https://user:pw@example.com/' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: 'https://198.51.100.1/', secret: '' }, 'secret'],
    [{ url: 'https://198.51.100.1/', secret: 'x'.repeat(257) }, 'secret'],
    [{ url: 'https://198.51.100.1/', secret: 7 }, 'secret'],
    [{ url: 'https://198.51.100.1/', secret: 'whsec_!!!' }, 'secret'],
    [{ url: 'https://198.51.100.1/', secret: 'whsec_' }, 'secret'],
    [{ url: 'https://198.51.100.1/', secret: 'whsec_AAE' }, 'secret'],
    [{ url: 'https://198.51.100.1/', secret: 'whsec_-_-_' }, 'secret'],
  ])('case %# answers 400', async (body, issue) => {
    const { account, path } = await setup();
    expectError(await account.call('POST', path, body), 400, 'invalid_input', issue);
    expect((await account.call('GET', path)).json).toEqual([]);
  });

  test('?pending is keep or cancel', async () => {
    const { account, path } = await setup();
    const { json } = await account.call('POST', path, { url: 'https://198.51.100.1/' });
    const wrong = await account.call('DELETE', `${path}/${json.id}?pending=maybe`);
    expectError(wrong, 400, 'invalid_input', 'pending');
    expect((await account.call('DELETE', `${path}/${json.id}?pending=cancel`)).status).toBe(204);
  });
});

describe('an event', () => {
  test('has all fields, attempts, and can be replayed', async () => {
    const target = await httpReceiver();
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const destination = await account.addDestination(endpoint, `${target.url}/hook`);
    const sent = await callApi(server, 'PUT', `/in/${endpoint.public_token}/a/b?c=d`, '{"n":1.0}', {
      headers: { 'X-Custom': 'Yes' },
    });
    const eventId = sent.json.event_id;
    expect(sent.json).toEqual({ received: true, event_id: expect.stringMatching(/^evt_/) });
    expect(sent.headers['x-hookrelay-event-id']).toBe(eventId);
    const event = await until('it is delivered', async () => {
      const now = await account.event(endpoint, eventId);
      return now.status === 'delivered' && now;
    });
    expect(event).toEqual({
      id: eventId,
      status: 'delivered',
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        'x-custom': 'Yes',
        'content-length': '9',
        host: `127.0.0.1:${server.port}`,
        connection: 'close',
      },
      body: { n: 1 },
      received_at: time,
      endpoint_id: endpoint.id,
      raw_headers: expect.arrayContaining([['X-Custom', 'Yes']]),
      body_encoding: 'json',
      path: '/a/b',
      query: 'c=d',
      content_type: 'application/json',
      size: 9,
      provider: null,
      event_type: null,
      source_ip: '127.0.0.1',
      attempts: 1,
      response_code: 200,
      latency_ms: expect.any(Number),
      retries: 0,
      edited_from: null,
      verification: { state: 'unverified', provider: null, secret: null, reason: null },
      verification_failure: null,
      duplicate_of: null,
      duplicate_conflict: null,
      unjudged: null,
      delivery_counts: { ...NO_DELIVERIES, succeeded: 1 },
      held_by: null,
      deliveries: [
        {
          id: expect.stringMatching(/^dlv_/),
          destination_id: destination.id,
          destination_url: `${target.url}/hook`,
          trigger: 'capture',
          state: 'succeeded',
          attempts: 1,
          next_attempt_at: null,
          waits_for: null,
          unjudged: null,
        },
      ],
    });
    expect((await account.call('GET', `/api/events/${eventId}`)).json).toEqual(event);

    const [attempt, ...others] = await account.attempts(endpoint, eventId);
    expect(others).toEqual([]);
    expect(attempt).toEqual({
      id: expect.stringMatching(/^att_/),
      attempt: 1,
      probe: false,
      rule_version: 0,
      request_headers: expect.arrayContaining([['X-Custom', 'Yes']]),
      response_code: 200,
      response_headers: expect.arrayContaining([['Content-Length', '2']]),
      response_body: 'ok',
      attempted_at: time,
      response_truncated: false,
      duration_ms: expect.any(Number),
      error: null,
      next_attempt_at: null,
      trigger: 'capture',
      delivery_id: event.deliveries[0].id,
      destination_id: destination.id,
      destination_url: `${target.url}/hook`,
      destination_health: null,
    });

    const path = `/api/endpoints/${endpoint.id}/events/${eventId}/replay`;
    const replayed = await account.call('POST', path);
    expect(replayed.status).toBe(202);
    expect(replayed.json).toEqual({ queued: true, event_id: eventId, deliveries: 1 });
    await target.received(2);
  });

  test('without destinations stays received, and its replay has no deliveries', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const eventId = await capture(endpoint.capture_url, '');
    const event = await account.event(endpoint, eventId);
    expect(event).toMatchObject({ status: 'received', body: null, body_encoding: 'none' });
    expect(event.deliveries).toEqual([]);
    expect(await account.attempts(endpoint, eventId)).toEqual([]);
    const path = `/api/endpoints/${endpoint.id}/events/${eventId}/replay`;
    expect((await account.call('POST', path, {})).json).toEqual({
      queued: true,
      event_id: eventId,
      deliveries: 0,
    });
    expect((await account.event(endpoint, eventId)).status).toBe('received');
  });

  test('/raw is an inert download of the bytes', async () => {
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    const body = Buffer.from('<script>alert(1)</script>\0\xff', 'latin1');
    const eventId = await capture(endpoint.capture_url, body);
    const path = `/api/endpoints/${endpoint.id}/events/${eventId}/raw`;
    const answer = await account.call('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(body);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${eventId}.bin"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
  });

  test('of another endpoint of the account is not found', async () => {
    const account = await register(server);
    const [one, two] = [await account.createEndpoint(), await account.createEndpoint()];
    const eventId = await capture(one.capture_url);
    const answer = await account.call('GET', `/api/endpoints/${two.id}/events/${eventId}`);
    expectError(answer, 404, 'event_not_found');
  });
});

describe('the order of checks', () => {
  test('is token, ownership, input', async () => {
    const owner = await register(server);
    const stranger = await register(server);
    const endpoint = await owner.createEndpoint();
    const path = `/api/endpoints/${endpoint.id}`;
    expectError(await callApi(server, 'PATCH', path, '{bad'), 401, 'missing_token');
    expectError(await stranger.call('PATCH', path, '{bad'), 404, 'endpoint_not_found');
    expectError(await owner.call('PATCH', path, '{bad'), 400, 'invalid_json');
    expectError(await stranger.call('GET', `${path}/events?limit=0`), 404, 'endpoint_not_found');
    expectError(await owner.call('GET', `${path}/events?limit=0`), 400, 'invalid_input', 'limit');
    expectError(await callApi(server, 'GET', '/api/nothing'), 404, 'not_found');
  });

  test('others’ ids and unknown ids get the same answer', async () => {
    const owner = await register(server);
    const stranger = await register(server);
    const endpoint = await owner.createEndpoint();
    const eventId = await capture(endpoint.capture_url);
    const pairs = [
      [`/api/endpoints/${endpoint.id}`, '/api/endpoints/ep_unknown'],
      [`/api/endpoints/${endpoint.id}/events`, '/api/endpoints/x/events'],
      [`/api/events/${eventId}`, '/api/events/evt_unknown'],
      [`/api/endpoints/${endpoint.id}/events/${eventId}/raw`, '/api/endpoints/x/events/y/raw'],
    ];
    for (const [foreign = '', unknown = ''] of pairs) {
      const [one, two] = [await stranger.call('GET', foreign), await stranger.call('GET', unknown)];
      expect(one.status).toBe(404);
      expect(two.status).toBe(404);
      expect(one.text).toBe(two.text);
    }
  });
});

describe('bodies', () => {
  test.each(['{', '{"name": }', 'name=x', '\xff', '[1,]', '{"a":1}{"b":2}', 'undefined', 'NaN'])(
    '%j is not JSON and answers 400',
    async (body) => {
      const account = await register(server);
      const bytes = Buffer.from(body, 'latin1');
      expectError(await account.call('POST', '/api/endpoints', bytes), 400, 'invalid_json');
    },
  );

  test.each(['null', '[]', '[{"name":"x"}]', '"x"', '7', 'true'])(
    '%s is not an object and answers 400',
    async (body) => {
      const account = await register(server);
      expectError(await account.call('POST', '/api/endpoints', body), 400, 'invalid_input');
    },
  );

  test('no body counts as {}', async () => {
    const account = await register(server);
    expectError(await account.call('POST', '/api/endpoints'), 400, 'invalid_input', 'name');
  });

  test('unknown fields are ignored, whatever their names', async () => {
    const account = await register(server);
    const body = `{
      "__proto__": {"is_active": false, "name": "polluted"},
      "constructor": {"prototype": {"polluted": true}},
      "id": "ep_mine", "public_token": "mine", "user_id": "usr_x", "is_active": false,
      "name": "real"}`;
    const { status, json } = await account.call('POST', '/api/endpoints', body);
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: 'real', is_active: true });
    expect(json.id).not.toBe('ep_mine');
    expect(json.public_token).not.toBe('mine');
    expect('polluted' in {}).toBe(false);
  });

  test('a field set only by __proto__ counts as missing', async () => {
    const account = await register(server);
    const answer = await account.call('POST', '/api/endpoints', '{"__proto__": {"name": "x"}}');
    expectError(answer, 400, 'invalid_input', 'name');
  });

  test('any content type and a byte order mark are accepted', async () => {
    const account = await register(server);
    const headers = { 'content-type': 'text/plain' };
    const body = '\ufeff{"name": "marked"}';
    const answer = await account.call('POST', '/api/endpoints', body, { headers });
    expect(answer.json.name).toBe('marked');
  });

  test('larger than 256 KiB answers 413', async () => {
    const account = await register(server);
    const body = JSON.stringify({ name: 'x'.repeat(256 * 1024) });
    expectError(await account.call('POST', '/api/endpoints', body), 413, 'payload_too_large');
    const chunked = await account.call('POST', '/api/endpoints', body, {
      headers: { 'transfer-encoding': 'chunked' },
    });
    expectError(chunked, 413, 'payload_too_large');
  });
});

describe('paths and methods', () => {
  test.each([
    ['PUT', '/api/endpoints', 'GET, HEAD, POST'],
    ['POST', '/api/endpoints/x', 'GET, HEAD, PATCH, DELETE'],
    ['GET', '/api/auth/login', 'POST'],
    ['DELETE', '/api/endpoints/x/events', 'GET, HEAD'],
    ['PATCH', '/api/endpoints/x/destinations', 'GET, HEAD, POST'],
    ['POST', '/api/endpoints/x/destinations/y', 'GET, HEAD, PATCH, DELETE'],
    ['GET', '/api/endpoints/x/events/y/replay', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s answers 405 and allows %s', async (method, path, allow) => {
    const answer = await callApi(server, method, path);
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  test.each([
    '/nothing',
    '/api',
    '/api/nothing',
    '/api/endpoints/x/nothing',
    '/in',
    '/api/v1/endpoints',
  ])('%s answers 404', async (path) => {
    const answer = await callApi(server, 'GET', path);
    expectError(answer, 404, 'not_found');
  });

  test('/healthz and /readyz answer', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await callApi(server, 'GET', path);
      expect([answer.status, answer.json]).toEqual([200, { status: 'ok' }]);
    }
  });

  test('answers have headers against sniffing, framing, caching and scripts', async () => {
    const account = await register(server);
    for (const answer of [
      await account.call('GET', '/api/endpoints'),
      await account.call('GET', '/api/nothing'),
    ]) {
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-request-id': expect.stringMatching(/^req_/),
      });
    }
  });
});
