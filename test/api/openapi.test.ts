import { globSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import type { Route } from '../../src/api/route.ts';
import { type Account, callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { type DescribedAnswers, departures } from '../fixtures/described-answer.ts';
import { type Schema, violations } from '../fixtures/json-schema.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { learned } from '../fixtures/learned.ts';
import { type HttpReceiver, httpReceiver, ok } from '../fixtures/receiver.ts';
import { rejectedRequest, SENT_SECRET, signedHeaders } from '../fixtures/rejected-request.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { storedIssue } from '../fixtures/stored-issue.ts';
import { until } from '../fixtures/until.ts';

/*
 * Checks the document, and tests made from it: every new route is tested without
 * extra work. A route that needs its own input fails `walk` until it has one.
 */

failOnLeaks();
// Pro, so that the ownership error comes before a plan error. Builtin, so that no
// model is asked.
const server = serverOfFile({ defaultPlan: 'pro', ai: 'builtin' });

interface Operation extends DescribedAnswers {
  operationId: string;
  summary: string;
  tags: string[];
  security?: unknown[];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Described extends Operation {
  method: string;
  path: string;
}

let document: Document;
let operations: Described[];

beforeAll(async () => {
  document = expectStatus(200, await callApi(server, 'GET', '/api/openapi.json'));
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
});

/** Capture isn't a route of `src/api`, and accepts more methods than OpenAPI has. */
const CAPTURE_PATH = '/in/{public_token}';
const CAPTURES = ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map(
  (method) => `${method} ${CAPTURE_PATH}`,
);

const isPublic = ({ security }: Described) => security?.length === 0;
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

function resolve(ref: string): Schema {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(ref)?.[1];
  const schema = name && document.components.schemas[name];
  if (!schema) throw new Error(`${ref} leads nowhere`);
  return schema;
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: 'hookrelay', version: expect.any(String) });
    expect(document.servers).toEqual([{ url: server.url }]);
    expect(operations.length).toBeGreaterThan(25);
  });

  test('describes every operation', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const operation of operations) {
      const name = nameOf(operation);
      expect(operation.path, name).toMatch(/^\//);
      expect(operation.summary, name).toMatch(/./);
      expect(operation.tags, name).toHaveLength(1);
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param);
      const described = operation.parameters.filter((one) => one.in === 'path');
      expect(
        described.map((one) => one.name),
        name,
      ).toEqual(inPath);
      for (const parameter of operation.parameters) {
        expect(['path', 'query', 'header'], name).toContain(parameter.in);
        expect(parameter.schema, name).toBeTypeOf('object');
        if (parameter.in === 'path') expect(parameter.required, name).toBe(true);
      }
      const codes = Object.keys(operation.responses);
      expect(codes, name).toContain('default');
      // Only lists of events say more than an error.
      const isSearch = operation.parameters.some(
        (one) => one.name === 'where' && one.in === 'query',
      );
      const failures = isSearch && name.endsWith('/events') ? ['503', 'default'] : ['default'];
      expect(codes.filter((code) => !/^2\d\d$/.test(code))).toEqual(failures);
      expect(codes.length, name).toBeGreaterThan(1);
      for (const [code, response] of Object.entries(operation.responses)) {
        expect(response?.description, name).toMatch(/./);
        expect(response?.content === undefined, name).toBe(code === '204');
      }
    }
  });

  test('has no dangling reference, and an error for every operation', () => {
    const refs: string[] = [];
    JSON.stringify(document, (key, value) => {
      if (key === '$ref') refs.push(value as string);
      return value;
    });
    expect(refs.length).toBeGreaterThanOrEqual(operations.length);
    for (const ref of refs) resolve(ref);
    for (const { responses } of operations) {
      expect(responses.default?.content?.['application/json']?.schema).toEqual({
        $ref: '#/components/schemas/Error',
      });
    }
  });

  test('has every route of src/api', async () => {
    const made = (await routesInSource()).map(nameOf).sort();
    expect(made.length).toBeGreaterThan(25);
    expect(operations.map(nameOf).sort()).toEqual([...made, ...CAPTURES].sort());
  });

  test('says how a stream resumes', () => {
    const streams = operations.filter(({ path }) => path.endsWith('/stream'));
    expect(streams).toHaveLength(2);
    for (const { parameters } of streams) {
      const { in: place, required } =
        parameters.find(({ name }) => name === 'Last-Event-ID') ?? expect.fail('no such header');
      expect([place, required]).toEqual(['header', false]);
    }
  });

  test('lists the methods of a path, as 405 does', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      if (path === CAPTURE_PATH) continue; // It takes them all.
      const url = path.replace(/\{\w+\}/g, 'x');
      const { status, headers } = await callApi(server, 'REPORT', url);
      expect([status, headers.allow?.split(', ').sort()], path).toEqual([
        405,
        Object.keys(methods)
          .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
          .sort(),
      ]);
    }
  });

  test('is public and names no secret', async () => {
    expect(JSON.stringify(document)).not.toMatch(/Bearer ey|hr_[A-Za-z0-9]{10}|\$argon2/);
  });
});

/**
 * Calls every exported `…Routes` function of the API's `*-routes.ts` with options that are never used: a
 * route is data. The page of a confirmation is no part of the API.
 */
async function routesInSource(): Promise<Route[]> {
  const folder = fileURLToPath(new URL('../../src/api/', import.meta.url));
  const never: unknown = new Proxy(() => never, { get: () => never });
  const routes: Route[] = [];
  for (const file of globSync('*/*-routes.ts', {
    cwd: folder,
    exclude: ['channels/confirm-routes.ts'],
  })) {
    const module: Record<string, unknown> = await import(`${folder}${file}`);
    const makers = Object.entries(module).filter(
      ([name, value]) => name.endsWith('Routes') && typeof value === 'function',
    );
    expect(makers, file).not.toHaveLength(0);
    for (const [, make] of makers) {
      const made = (make as (options: unknown) => Route[] | { routes: Route[] })(never);
      routes.push(...(Array.isArray(made) ? made : made.routes));
    }
  }
  return routes;
}

const CHANNEL = { type: 'webhook', url: 'http://127.0.0.1:1/', secret: 'secret of a channel' };

/** What an account has, by the path parameters that name it. */
interface Belongings {
  account: Account;
  endpoint: EndpointAnswer;
  ids: Record<string, string>;
}

async function belongings(target: HttpReceiver): Promise<Belongings> {
  const account = await register(server);
  const attempt = await heldAttempt(account);
  const endpoint = await account.createEndpoint();
  const destination = await account.addDestination(endpoint, target.url, 'a signing secret');
  const rejectedId = await rejectedRequest(account, endpoint);
  const source = { secrets: [SENT_SECRET], enforce: false };
  expectStatus(200, await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { source }));
  const body = '{"kind": "ping"}';
  const headers = signedHeaders(body);
  const typed = { ...headers, 'x-github-event': 'push' };
  const typedId = await capture(endpoint.capture_url, body, { headers: typed });
  const eventId = await capture(endpoint.capture_url, body, { headers });
  await learned(account, endpoint, 2);
  for (const id of [typedId, eventId]) {
    await until('it is delivered', async () => {
      return (await account.event(endpoint, id)).status === 'delivered';
    });
  }
  const replay = `/api/endpoints/${endpoint.id}/replay`;
  const { job_id: jobId } = expectStatus(202, await account.call('POST', replay, {}));
  const job = `/api/endpoints/${endpoint.id}/replays/${jobId}`;
  await until('the bulk replay is done', async () => {
    return expectStatus(200, await account.call('GET', job)).state === 'done';
  });
  const filtered = `/api/endpoints/${endpoint.id}/destinations/${destination.id}`;
  expectStatus(200, await account.call('PATCH', filtered, { filter: 'method=POST' }));
  const token = expectStatus(201, await account.call('POST', '/api/tokens', { name: 'ci' }));
  server.secrets.push(token.token);
  const channel = expectStatus(201, await account.call('POST', '/api/channels', CHANNEL));
  const { email, password } = account;
  const login = await callApi(server, 'POST', '/api/auth/login', { email, password });
  server.secrets.push(login.json.accessToken, login.json.refreshToken);
  const sessions = expectStatus(200, await account.call('GET', '/api/sessions'));
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  return {
    account,
    endpoint,
    ids: {
      id: endpoint.id,
      eventId,
      rejectedId,
      public_token: endpoint.public_token,
      destinationId: destination.id,
      version: '1',
      deliveryId: attempt.delivery_id,
      attemptId: attempt.id,
      jobId,
      type: 'push',
      issueId: storedIssue(server, endpoint.id),
      channelId: channel.id,
      tokenId: token.id,
      sessionId: other.id,
    },
  };
}

/** The first attempt of a delivery that waits an hour for each further one. */
async function heldAttempt(account: Account): Promise<{ id: string; delivery_id: string }> {
  const endpoint = await account.createEndpoint();
  const path = `/api/endpoints/${endpoint.id}/destinations`;
  const input = { url: 'http://127.0.0.1:1/', retry: { schedule: Array(9).fill('1h') } };
  expectStatus(201, await account.call('POST', path, input));
  const eventId = await capture(endpoint.capture_url, '{}');
  return until('an attempt is on record', async () => {
    return (await account.attempts(endpoint, eventId))[0];
  });
}

/** A version is a number within one destination, a type a name within one endpoint. */
const isId = (param: string) => param !== 'version' && param !== 'type';

/** The path with its parameters filled in. */
function fill(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`belongings() knows no {${name}} of ${path}`);
    return id;
  });
}

const GARBAGE = ['x', '%00', '%27', "'--", '__proto__', '%2e%2e%2fx', '%F0%9F%92%A9', '-1'];

/** What no test changes. */
let owner: Belongings;
/** What the test of all operations changes and removes. */
let changed: Belongings;

beforeAll(async () => {
  const target = await httpReceiver(ok, () => {});
  owner = await belongings(target);
  changed = await belongings(target);
  return () => target.close();
});

describe('every operation', () => {
  test('answers 401 without a token, unless it is public', async () => {
    let held = 0;
    for (const operation of operations) {
      if (isPublic(operation)) continue;
      const answer = await callApi(server, operation.method, fill(operation.path, owner.ids), '{');
      expect([nameOf(operation), answer.status, answer.json?.error.code]).toEqual([
        nameOf(operation),
        401,
        'missing_token',
      ]);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(violations(document.components.schemas.Error as Schema, answer.json, resolve)).toEqual(
        [],
      );
      held++;
    }
    expect(held).toBeGreaterThan(20);
  });

  test('that is public needs no token, and only the known ones are public', () => {
    expect(operations.filter(isPublic).map(nameOf).sort()).toEqual(
      [
        ...CAPTURES,
        'GET /api/openapi.json',
        'GET /healthz',
        'GET /metrics',
        'GET /readyz',
        'POST /api/auth/login',
        'POST /api/auth/logout',
        'POST /api/auth/refresh',
        'POST /api/auth/register',
      ].sort(),
    );
  });

  test('answers 404 with another account’s ids, and changes nothing', async () => {
    const stranger = changed;
    const before = await everythingOf(owner);
    let held = 0;
    for (const operation of operations) {
      // Anybody may send to a capture URL: the token is enough.
      if (isPublic(operation)) continue;
      const params = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
      // All ids foreign, and each foreign id among own ones.
      const mixes = [
        owner.ids,
        ...params
          .filter(isId)
          .map((name) => ({ ...stranger.ids, [name]: owner.ids[name] as string })),
      ];
      for (const ids of params.length > 0 ? mixes : []) {
        const answer = await stranger.account.call(operation.method, fill(operation.path, ids));
        expect([nameOf(operation), answer.status], answer.text).toEqual([nameOf(operation), 404]);
        expect(answer.json.error.code).toMatch(/_not_found$/);
        held++;
      }
    }
    expect(held).toBeGreaterThan(30);
    expect(await everythingOf(owner)).toEqual(before);
  });

  test('answers 404 with garbage for ids', async () => {
    const { account } = owner;
    const named = operations.filter(({ path }) => path.includes('{'));
    for (const [i, operation] of named.entries()) {
      // Operations take turns: each gets every second one.
      for (const garbage of GARBAGE.filter((_, k) => k % 2 === i % 2)) {
        const path = operation.path.replace(/\{\w+\}/g, garbage);
        const answer = await account.call(operation.method, path);
        expect([garbage, nameOf(operation), answer.status]).toEqual([
          garbage,
          nameOf(operation),
          404,
        ]);
      }
    }
  });
});

/** Everything that an account can read, except times of use. */
async function everythingOf({ account, ids }: Belongings): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const { method, path, tags } of operations) {
    if (method !== 'GET' || ['live', 'system', 'ai', 'capture'].includes(tags[0] as string))
      continue;
    const { status, text } = await account.call(method, fill(path, ids));
    seen.push([path, status, text.replace(/"last_used_at":"[^"]*"/g, '')]);
  }
  return seen;
}

/** Inputs for operations that need one. */
const BODIES: Record<string, (owner: Belongings) => unknown> = {
  'POST /api/auth/register': () => ({ email: 'walker@example.com', password: 'walk this way' }),
  'POST /api/auth/login': ({ account: { email, password } }) => ({ email, password }),
  'POST /api/auth/refresh': ({ account: { refreshToken } }) => ({ refreshToken }),
  'POST /api/auth/logout': () => ({ refreshToken: 'one that has ended' }),
  'POST /api/tokens': ({ ids }) => ({ name: 'ci', endpoint_ids: [ids.id], expires_in: '30d' }),
  'POST /api/auth/password': ({ account: { password } }) => ({
    current: password,
    new: password,
  }),
  'POST /api/endpoints': () => ({
    name: 'hooks',
    response: { status: 204 },
    retention: '7d',
    source: {
      provider: 'custom',
      secrets: ['the secret of a sender'],
      scheme: {
        signature: 'header.x-signature',
        form: 'sha256={hex}',
        algorithm: 'hmac-sha256',
        signed: '{header.x-timestamp}.{body}',
        timestamp: 'header.x-timestamp',
      },
    },
  }),
  'PATCH /api/endpoints/{id}': () => ({
    name: 'other',
    is_active: false,
    source: { provider: 'stripe', secrets: ['whsec_of_a_sender'], enforce: true },
    dedupe: { by: ['header.x-id', 'body.id'] },
    expect_every: '15m',
  }),
  'PATCH /api/issues/{issueId}': () => ({ state: 'acknowledged' }),
  'POST /api/channels': () => CHANNEL,
  'PATCH /api/channels/{channelId}': () => ({ kinds: ['delivery'], secret: 'another secret' }),
  'POST /api/channels/{channelId}/test': () => undefined,
  'POST /api/endpoints/{id}/source/check': () => ({
    source: { provider: 'basic', secrets: ['user:a password'] },
    last: 10,
  }),
  'POST /api/endpoints/{id}/rejected/{rejectedId}/accept': () => undefined,
  'POST /api/events/{eventId}/signed-headers': () => ({ url: 'https://198.51.100.1/hooks' }),
  'POST /api/endpoints/{id}/destinations': () => ({
    url: 'https://198.51.100.1/',
    secret: 'another signing secret',
    headers: { authorization: 'Bearer of a secret' },
    rate: { limit: 10, per: 'second' },
    order_by: 'body.customer.id',
    retry: { attempts: 3, base: '5s', factor: 2, max: '1h', give_up_on: ['4xx', 501] },
  }),
  'PATCH /api/endpoints/{id}/destinations/{destinationId}': () => ({
    name: 'billing',
    url: 'https://198.51.100.2/',
    secret: null,
    headers: { 'x-tenant': '7' },
    timeout: '5s',
    retry: { schedule: ['5s', '5m'] },
    hold: null,
  }),
  'POST /api/endpoints/{id}/destinations/{destinationId}/probe': () => undefined,
  'POST /api/endpoints/{id}/destinations/{destinationId}/discard': () => undefined,
  'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret': () => ({ overlap: '1h' }),
  'POST /api/deliveries/{deliveryId}/retry': () => undefined,
  'POST /api/deliveries/{deliveryId}/cancel': () => undefined,
  'POST /api/endpoints/{id}/destinations/{destinationId}/rules/{version}': () => undefined,
  'POST /api/endpoints/{id}/events/{eventId}/replay': () => undefined,
  'POST /api/endpoints/{id}/events/{eventId}/edit': () => ({
    path: '/edited',
    headers: { 'x-tenant': '7' },
    body: { type: 'pong' },
  }),
  'POST /api/endpoints/{id}/test-events': () => ({ sample: 'stripe.invoice.paid' }),
  'POST /in/{public_token}': () => '<any/>',
  'PUT /in/{public_token}': () => Buffer.from([0xff]),
  'PATCH /in/{public_token}': () => '{',
  'POST /api/endpoints/{id}/replay': () => ({ status: 'delivered' }),
  'POST /api/endpoints/{id}/rules/try': () => ({ filter: 'method=POST' }),
  'POST /api/endpoints/{id}/events/{eventId}/ai/handler': () => ({
    language: 'typescript',
    framework: 'express',
  }),
};

/** Order: captures and reads, creations, pauses, removals, and endpoints last. */
function order({ method, path }: Described): number {
  if (method === 'GET' || path === CAPTURE_PATH) return 0;
  // It ends the session that another operation ends.
  if (path === '/api/auth/password') return 5;
  if (method === 'POST') return 1;
  if (method === 'PATCH') return 2;
  return path === '/api/endpoints/{id}' ? 4 : 3;
}

test('every operation succeeds with the described answer', async () => {
  for (const operation of [...operations].sort((a, b) => order(a) - order(b))) {
    const name = nameOf(operation);
    const takesBody = operation.requestBody !== undefined || operation.method === 'POST';
    if (takesBody && !BODIES[name]) throw new Error(`BODIES says nothing of ${name}`);
    const answer = await answerOf(changed, operation, BODIES[name]?.(changed));
    expect(Math.floor(answer.status / 100), `${name} ${answer.text}`).toBe(2);
    if (name.endsWith('/rotate-secret')) server.secrets.push(JSON.parse(answer.text).secret);
    expect(departures(operation, answer, resolve), name).toEqual([]);
  }
});

test('both forms of the list and both answers of a bulk replay are described', async () => {
  const { account, endpoint } = owner;
  const schemaOf = (path: string, method: string, status: number) => {
    const operation = document.paths[path]?.[method] as Operation;
    return operation.responses[status]?.content?.['application/json']?.schema as Schema;
  };
  const list = schemaOf('/api/endpoints/{id}/events', 'get', 200);
  const listOfAll = schemaOf('/api/events', 'get', 200);
  for (const query of ['', '?view=summary']) {
    expect(violations(list, await account.list(endpoint, query), resolve)).toEqual([]);
    const all = expectStatus(200, await account.call('GET', `/api/events${query}`));
    expect(all.data[0].endpoint_id).toBe(endpoint.id);
    expect(violations(listOfAll, all, resolve)).toEqual([]);
  }
  const replay = (status: number) => schemaOf('/api/endpoints/{id}/replay', 'post', status);
  const path = `/api/endpoints/${endpoint.id}/replay`;
  const dry = await account.call('POST', path, { dry_run: true });
  expect([dry.status, dry.json]).toEqual([200, { matching: 2 }]);
  expect(violations(replay(200), dry.json, resolve)).toEqual([]);
  const real = await account.call('POST', path, {});
  expect([real.status, real.json]).toEqual([
    202,
    { queued: 2, job_id: expect.stringMatching(/^job_/) },
  ]);
  expect(violations(replay(202), real.json, resolve)).toEqual([]);
});

/** Status, type and text. A live stream is closed after its head. */
async function answerOf(
  { account, ids }: Belongings,
  { method, path }: Described,
  body: unknown,
): Promise<{ status: number; contentType: string | undefined; text: string }> {
  if (path.endsWith('/stream')) return streamAnswer(fill(path, ids), account.authorization);
  const { status, headers, text } = await account.call(method, fill(path, ids), body);
  return { status, contentType: headers['content-type'], text };
}

function streamAnswer(path: string, authorization: string) {
  return new Promise<{ status: number; contentType: string | undefined; text: string }>(
    (resolveAnswer, reject) => {
      const req = http.get(server.url + path, { headers: { authorization }, agent: false });
      req.on('error', reject);
      req.on('response', (res) => {
        expect(res.headers['content-type']).toBe('text/event-stream');
        resolveAnswer({
          status: res.statusCode as number,
          contentType: res.headers['content-type'],
          text: '',
        });
        req.destroy();
      });
    },
  );
}
