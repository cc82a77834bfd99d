import { once } from 'node:events';
import http from 'node:http';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AppOptions, createApp } from '../../src/api/app.ts';
import type { Calls } from '../../src/api/contract.ts';
import { JsonText, type Route, routesOf, WithStatus } from '../../src/api/route.ts';
import { HookrelayError } from '../../src/core/errors.ts';
import type { Endpoint, EventSummary, Plan, User } from '../../src/core/model.ts';
import { type Logger, systemClock } from '../../src/core/runtime/runtime.ts';
import { CLIENT_LIMITS } from '../../src/ingress/client-limits.ts';
import { listen } from '../../src/ingress/server.ts';
import { type RequestOptions, request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import type { LogLine } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

/* What the route table promises for every route: the order of checks, the answers, the errors. */

failOnLeaks();

const ENDPOINT = { id: 'ep_mine', key: 1 } as Endpoint;
const EVENT = { id: 'evt_mine', seq: 1 } as EventSummary;
/** Bearer tokens of accounts by their plan. */
const BEARER = (plan: Plan) => ({ authorization: `Bearer ${plan}` });

const serving = (...routes: Route[]) => servingWith({}, ...routes);

async function servingWith(
  { onClose = () => {}, ...options }: Partial<AppOptions> & { onClose?: () => void },
  ...routes: Route[]
) {
  const logged: LogLine[] = [];
  const note =
    (level: keyof Logger) =>
    (message: string, fields = {}) => {
      logged.push({ level, message, fields });
    };
  const log: Logger = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  };
  const find = async (owner: unknown, id: string) =>
    owner === 'usr_1' && id === ENDPOINT.id ? ENDPOINT : null;
  const findEvent = async (key: unknown, id: string) =>
    key === ENDPOINT.key && id === EVENT.id ? EVENT : null;
  const app = createApp({
    routes,
    clock: systemClock,
    log,
    endpoints: { find } as AppOptions['endpoints'],
    events: {
      find: findEvent,
      findOwned: async (owner: string, id: string) =>
        owner === 'usr_1' && id === EVENT.id ? { endpoint: ENDPOINT, event: EVENT } : null,
    } as AppOptions['events'],
    deliveries: {} as AppOptions['deliveries'],
    issues: {} as AppOptions['issues'],
    admit: async () => {},
    async authenticate(authorization) {
      if (authorization === undefined) throw new HookrelayError('missing_token', 'no token');
      const plan = authorization.slice('Bearer '.length) as Plan;
      return {
        user: { id: 'usr_1', email: 'a@example.com', plan },
        expiresAt: null,
        sessionId: null,
        apiToken: null,
      };
    },
    audit: { write: async () => {} },
    lost: () => false,
    clientAddress: () => '192.0.2.1',
    baseUrl: () => '',
    bodyTimeoutMs: CLIENT_LIMITS.apiBodyTimeoutMs,
    ...options,
  });
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    frontDoor: {
      listener(req, res) {
        res.once('close', onClose);
        app(req, res);
      },
      takeFast: () => Promise.reject(new Error('no capture URL here')),
    },
    fastPath: null,
    limits: CLIENT_LIMITS,
    connectionCaps: { max: 1000, perAddress: 1000 },
    isProxy: () => false,
    log,
    clock: systemClock,
  });
  onTestFinished(() => server.close(1000));
  const call = (method: string, path: string, options: RequestOptions = {}) =>
    request(server.url + path, { method, ...options });
  return { call, logged, url: server.url };
}

const BASE = { summary: 'A test', tag: 'test', status: 200 } as const;

test('a contract without a decision does not compile', () => {
  const missing = {
    // @ts-expect-error: no scope
    'GET /a': { ...BASE, access: 'endpoint' },
    // @ts-expect-error: no scope
    'POST /b': { ...BASE, access: 'account', audit: 'token.create' },
    // @ts-expect-error: no audit
    'POST /c': { ...BASE, access: 'account', scope: 'write' },
    // @ts-expect-error: a session has every scope
    'GET /d': { ...BASE, access: 'session', scope: 'read' },
    // @ts-expect-error: a GET changes nothing
    'GET /e': { ...BASE, access: 'endpoint', scope: 'read', audit: 'token.create' },
    'GET /f': { ...BASE, access: 'endpoint', scope: 'read' },
    'DELETE /g': { ...BASE, access: 'public', audit: { unaudited: 'a test' } },
  } satisfies Calls;
  // @ts-expect-error: no such method
  const other = { 'PUT /h': { ...BASE, access: 'public', audit: 'token.create' } } satisfies Calls;
  expect(Object.keys({ ...missing, ...other })).toHaveLength(8);
});

test('a handler that departs from its contract does not compile', () => {
  const calls = {
    'GET /a/{id}': {
      ...{ ...BASE, access: 'public' },
      query: v.object({ n: v.optional(v.string()) }),
      response: v.object({ name: v.string() }),
    },
  } as const satisfies Calls;
  // @ts-expect-error: no handler
  routesOf(calls, {});
  // @ts-expect-error: no contract
  routesOf(calls, { 'GET /a/{id}': () => ({ name: '' }), 'GET /b': () => ({ name: '' }) });
  // @ts-expect-error: another type
  routesOf(calls, { 'GET /a/{id}': () => ({ name: 1 }) });
  // @ts-expect-error: a member is missing
  routesOf(calls, { 'GET /a/{id}': async () => ({}) });
  // @ts-expect-error: no such parameter
  routesOf(calls, { 'GET /a/{id}': ({ params }) => ({ name: params.ID }) });
  // @ts-expect-error: no such member of the query
  routesOf(calls, { 'GET /a/{id}': ({ query }) => ({ name: query.m ?? '' }) });
  const [route] = routesOf(calls, { 'GET /a/{id}': ({ params }) => ({ name: params.id }) });
  expect(route).toMatchObject({ method: 'GET', path: '/a/{id}', status: 200 });
});

describe('the order of checks', () => {
  const paid = routesOf(
    {
      'POST /api/endpoints/{id}/events/{eventId}/ai': {
        ...BASE,
        access: 'event',
        scope: 'write',
        audit: { unaudited: 'a test' },
        paid: true,
        query: v.object({ n: v.optional(v.picklist(['1'])) }),
        body: v.object({ name: v.string() }),
        response: v.looseObject({}),
      },
    },
    {
      'POST /api/endpoints/{id}/events/{eventId}/ai': ({
        principal,
        endpoint,
        event,
        body,
        query,
        params,
        address,
      }) => ({
        ...{ plan: principal.user.plan, endpoint: endpoint.id, event: event.id },
        ...{ body, query, params, address },
      }),
    },
  );

  test('is token, plan, ownership, query, body', async () => {
    const { call } = await serving(...paid);
    const mine = `/api/endpoints/${ENDPOINT.id}/events/${EVENT.id}/ai`;
    const bad = { body: '{' };
    const steps: [number, string, string, RequestOptions][] = [
      [401, 'missing_token', '/api/endpoints/x/events/y/ai?n=2', bad],
      [
        403,
        'plan_required',
        '/api/endpoints/x/events/y/ai?n=2',
        { headers: BEARER('free'), ...bad },
      ],
      [403, 'plan_required', `${mine}?n=2`, { headers: BEARER('free'), ...bad }],
      [
        404,
        'endpoint_not_found',
        '/api/endpoints/x/events/y/ai?n=2',
        { headers: BEARER('pro'), ...bad },
      ],
      [
        404,
        'event_not_found',
        `/api/endpoints/${ENDPOINT.id}/events/y/ai?n=2`,
        { headers: BEARER('pro'), ...bad },
      ],
      [400, 'invalid_input', `${mine}?n=2`, { headers: BEARER('starter'), ...bad }],
      [400, 'invalid_json', mine, { headers: BEARER('starter'), ...bad }],
      [400, 'invalid_input', mine, { headers: BEARER('starter'), body: '{}' }],
    ];
    for (const [status, code, path, options] of steps) {
      const answer = await call('POST', path, options);
      expect([path, answer.status, answer.json.error.code]).toEqual([path, status, code]);
    }
    for (const plan of ['starter', 'pro'] as const) {
      const answer = await call('POST', `${mine}?n=1`, {
        headers: BEARER(plan),
        body: '{"name":"x"}',
      });
      expect(answer.json).toEqual({
        plan,
        endpoint: ENDPOINT.id,
        event: EVENT.id,
        body: { name: 'x' },
        query: { n: '1' },
        params: { id: ENDPOINT.id, eventId: EVENT.id },
        address: '192.0.2.1',
      });
    }
  });

  test('a refusal by plan names the remedy', async () => {
    const { call } = await serving(...paid);
    const { json } = await call('POST', '/api/endpoints/x/events/y/ai', {
      headers: BEARER('free'),
    });
    expect(json.error.hint).toBe('hookrelay users set-plan a@example.com starter');
  });

  test('a path with only an event id finds the event in any endpoint of the account', async () => {
    const alone = routesOf(
      {
        'GET /api/events/{eventId}': {
          ...BASE,
          access: 'event',
          scope: 'read',
          response: v.array(v.string()),
        },
      },
      { 'GET /api/events/{eventId}': ({ endpoint, event }) => [endpoint.id, event.id] },
    );
    const { call } = await serving(...alone);
    const headers = BEARER('free');
    expect((await call('GET', '/api/events/evt_mine', { headers })).json).toEqual([
      ENDPOINT.id,
      EVENT.id,
    ]);
    expect((await call('GET', '/api/events/evt_other', { headers })).json.error.code).toBe(
      'event_not_found',
    );
  });
});

describe('answers', () => {
  const answering = (path: string, status: number, value: unknown): Route => ({
    ...{ ...BASE, method: 'GET', path, access: 'public', status },
    handle: () => value,
  });

  test('are a value, raw JSON text, another status, or nothing', async () => {
    const { call } = await serving(
      answering('/value', 201, { a: '</script>', b: undefined }),
      answering('/text', 200, new JsonText(Buffer.from('{"n": 1.0, "n": 2}'))),
      answering('/other', 202, new WithStatus(200, { dry: true })),
      answering('/nothing', 204, undefined),
      answering('/null', 200, null),
    );
    const seen = [];
    for (const path of ['/value', '/text', '/other', '/nothing', '/null']) {
      const { status, text, headers } = await call('GET', path);
      expect(headers['x-request-id']).toMatch(/^req_/);
      expect(headers['content-type']).toBe(status === 204 ? undefined : 'application/json');
      seen.push([status, text]);
    }
    expect(seen).toEqual([
      [201, '{"a":"</script>"}'],
      [200, '{"n": 1.0, "n": 2}'],
      [200, '{"dry":true}'],
      [204, ''],
      [200, 'null'],
    ]);
  });
});

describe('errors', () => {
  const failing = (error: unknown): Route => ({
    ...BASE,
    method: 'POST',
    path: '/fail/{what}',
    access: 'public',
    audit: { unaudited: 'a test' },
    handle: () => {
      throw error;
    },
  });

  test.each([
    ['an error of the backend', new Error('SELECT * FROM secrets')],
    ['an error of the operator’s', new HookrelayError('database_unusable', '/var/lib/x is broken')],
    ['what is no error', 'a thrown secret'],
  ])('%s is a 500 that reveals only its request id; the log has the rest', async (_name, error) => {
    const { call, logged } = await serving(failing(error));
    const answer = await call('POST', '/fail/x');
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      error: { code: 'internal', message: expect.any(String), request_id: expect.any(String) },
    });
    expect(answer.text).not.toMatch(/secret|broken/);
    expect(answer.headers['x-request-id']).toBe(answer.json.error.request_id);
    const [line] = logged.filter(({ level }) => level === 'error');
    expect(line?.fields).toMatchObject({ request_id: answer.json.error.request_id, error });
  });

  test('a temporary error has Retry-After', async () => {
    const error = new HookrelayError('overloaded', 'too much', { retryAfterS: 7 });
    const { call } = await serving(failing(error));
    const answer = await call('POST', '/fail/x');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '7']);
    expect(answer.json).toEqual({ error: { code: 'overloaded', message: 'too much' } });
  });

  test.each([
    ['ai_unavailable', 'warn'],
    ['overloaded', 'warn'],
    ['not_ready', 'warn'],
    ['storage_full', 'error'],
    ['storage_unavailable', 'error'],
  ] as const)('503 %s is logged as %s', async (code, level) => {
    const { call, logged } = await serving(failing(new HookrelayError(code, 'not now')));
    expect((await call('POST', '/fail/x')).status).toBe(503);
    const [line] = logged.filter(({ message }) => message === 'a request failed');
    expect(line?.level).toBe(level);
  });

  test('the log names a request’s route, not what was sent', async () => {
    const { call, logged } = await serving(failing(new HookrelayError('not_found', 'no')));
    await call('POST', '/fail/secret-in-path?secret=in-query', { body: 'secret-in-body' });
    expect(logged).toEqual([
      {
        level: 'info',
        message: 'request',
        fields: {
          request_id: expect.stringMatching(/^req_/),
          method: 'POST',
          route: '/fail/{what}',
          status: 404,
          duration_ms: expect.any(Number),
        },
      },
    ]);
  });
});

test('a client that leaves aborts its request’s work', async () => {
  let left = false;
  let begun = false;
  const waiting: Route = {
    ...BASE,
    method: 'GET',
    path: '/wait',
    access: 'public',
    async handle({ signal }) {
      begun = true;
      await once(signal, 'abort');
      left = true;
      throw signal.reason;
    },
  };
  const { url, call, logged } = await serving(waiting, {
    ...BASE,
    method: 'GET',
    path: '/up',
    access: 'public',
    handle: () => 'up',
  });
  const req = http.get(`${url}/wait`, { agent: false });
  req.on('error', () => {});
  await until('it waits', () => begun);
  req.destroy();
  await until('the handler sees it', () => left);
  expect((await call('GET', '/up')).json).toBe('up');
  // Nothing is broken here, so there is no error line.
  expect(logged).toEqual([]);
});

test('a client that leaves during the token check has left when its request starts', async () => {
  let asked = false;
  let signal: AbortSignal | undefined;
  const gone = Promise.withResolvers<void>();
  const { url } = await servingWith(
    {
      onClose: gone.resolve,
      async authenticate() {
        asked = true;
        await gone.promise;
        return { user: {} as User, expiresAt: null, sessionId: null, apiToken: null };
      },
    },
    {
      ...BASE,
      method: 'GET',
      path: '/search',
      access: 'account',
      scope: 'read',
      handle(context) {
        signal = context.signal;
      },
    },
  );
  const req = http.get(`${url}/search`, { agent: false });
  req.on('error', () => {});
  await until('its token is checked', () => asked);
  req.destroy();
  await until('it is worked on', () => signal);
  expect(signal?.aborted).toBe(true);
});

test('an answer that is ready when the client has left is neither sent nor an error', async () => {
  const [begun, left, done] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const { url, logged } = await servingWith(
    { onClose: () => left?.resolve() },
    {
      ...BASE,
      method: 'POST',
      path: '/slow',
      access: 'public',
      audit: { unaudited: 'a test' },
      async handle() {
        begun?.resolve();
        await done?.promise;
        return { ready: true };
      },
    },
  );
  const req = http.request(`${url}/slow`, { method: 'POST' });
  req.on('error', () => {});
  req.end();
  await begun?.promise;
  req.destroy();
  await left?.promise;
  // h3 answers a closed response itself, in the turn after.
  await new Promise((resolve) => setImmediate(resolve));
  done?.resolve();
  await until('the request ended', () => logged.some(({ message }) => message === 'request'));
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
});
