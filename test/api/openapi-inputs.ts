import { beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../src/api/answers/endpoint.ts';
import { type Account, callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { type Schema, violations } from '../fixtures/json-schema.ts';
import type { TestServer } from '../fixtures/running-server.ts';
import { storedIssue } from '../fixtures/stored-issue.ts';

/*
 * What the OpenAPI document says of an input is what the server takes: each field
 * is given each of many values, and the server refuses those that the document
 * refuses, and no others.
 */

interface Operation {
  parameters: { name: string; in: string; schema: Schema; allowEmptyValue?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
}

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

const TIMES = [
  ...[
    '2026-01-31',
    '2024-02-29',
    '2023-02-29',
    '1900-02-29',
    '2000-02-29',
    '2026-04-31',
    '2026-1-1',
  ],
  ...[
    '2026-01-31T12:00',
    '2026-01-31T12:00:00Z',
    '2026-01-31t12:00:00.123456z',
    '2026-01-31 12:00',
  ],
  ...['2026-01-31T24:00', '2026-01-31T24:01', '2026-01-31T25:00', '2026-12-31T23:59:60Z'],
  ...['2026-01-31T12:00:00+02:00', '2026-01-31T12:00:00-0230', '2026-01-31T12:00:00 02:00'],
  ...['2026-01-31T12:00:00+24:00', '2026-01-31T12:00:0002:00', '2026-01-31T12Z', 'yesterday'],
];
const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    ' a ',
    '\ta\n',
    'a\tb',
    'a\u2028b',
    '\u2028a',
    '\ufeffa',
    '\0',
    'é',
    '日本',
    '\ud800',
  ],
  ...['x'.repeat(100), 'x'.repeat(101), '🪝'.repeat(100), '🪝'.repeat(101), ` ${'x'.repeat(200)} `],
  ...['x'.repeat(200), 'x'.repeat(201), 'x'.repeat(256), 'x'.repeat(257), `a${' '.repeat(300)}b`],
  ...['method=POST', 'body.a>=1 and not type?', 'method', '{"body": {"a": 1}}', '{"bdy": 1}'],
  ...['null', '0', '1', '007', '1000', '1001', '-1', '1.5', 'true'],
];
const SECRETS = [
  ...['********', '********b7oD', '********b7oDx', '*******', '********\n'],
  ...[
    'whsec_',
    'whsec',
    'awhsec_',
    `whsec_${base64(24)}`,
    `whsec_${base64(23)}`,
    `whsec_${base64(25)}`,
  ],
  ...[
    `whsec_${base64(25).replace(/=+$/, '')}`,
    'whsec_AB==',
    'whsec_AA==',
    'whsec_AAB=',
    'whsec_A-_=',
  ],
];
const MEDIA_TYPES = [
  ...[
    'text/plain',
    'text/plain; charset=utf-8',
    'text/plain;charset="utf-8"',
    'text/plain;',
    'a/b ; c=d',
  ],
  ...[
    'text',
    'text/',
    '/plain',
    'text/plain charset=utf-8',
    'text/plain; charset',
    'text/plain; a="b',
  ],
  ...[
    'text/plain; a="\\"b;"',
    'text/plain\r\nx: y',
    'text /plain',
    ' text/plain',
    'té/xt',
    'a/b; c = d',
  ],
  ...[`a/${'b'.repeat(198)}`, `a/${'b'.repeat(199)}`, 'application/vnd.a+json', 'a/b, c/d'],
];
const LANGUAGES = ['typescript', 'javascript', 'python', 'go', 'rust'];
const FRAMEWORKS = ['express', 'fastify', 'nextjs', 'fastapi', 'gin', 'Express'];
const SCOPES = [
  ...[['read'], ['read', 'write'], ['write', 'read'], ['write'], ['read', 'read']],
  ...[
    ['read', 'admin'],
    ['read', null],
  ],
];
const DURATIONS = ['1m', '30d', '1.5h', '60000ms', ' 1h', '1h ', '1H', '1 h', '1w', '90', '3652d'];
/** No schema can say how long a duration is. */
const RETENTIONS = DURATIONS.filter((text) => text !== '3652d');
const OTHERS = [
  'received',
  'keep',
  'cancel',
  'summary',
  null,
  true,
  0,
  1,
  199,
  200,
  599,
  600,
  200.5,
  [],
  {},
  { body: { a: { $gte: 1 } } },
  { bdy: 1 },
  ['a'],
];
const ORDERS = [
  '*',
  'body.customer.id',
  'header.x-id',
  'body.items[0].sku',
  'body.items[*].sku',
  'bdy',
];
const BASE64 = ['YQ==', 'YWI=', 'YWJj', 'YQ=', 'YQ', 'YQ==\n', '====', 'Y===', '-_-_'];
const HEADERS = [
  { authorization: 'Bearer x' },
  { 'X-Tenant': '7', accept: 'a/b' },
  { a: null },
  ...[
    { a: '' },
    { a: ' b' },
    { a: 'b\nc' },
    { a: 'é' },
    { a: '********' },
    { a: 7 },
    { 'a b': 'c' },
    { a: ['b', 'c'] },
    { a: [] },
    { a: '\u20ac' },
  ],
  ...[{ 'Set-Cookie': 'x' }, { location: '/x' }, { 'CACHE-CONTROL': 'x' }, { 'x-accel-a': 'x' }],
  ...[{ HOST: 'x' }, { hosts: 'x' }, { 'Content-Type': 'x' }, { 'webhook-id': 'x' }, { te: 'x' }],
];
const RATES = [
  { limit: 1, per: 'hour' },
  { limit: 1_000_000, per: 'minute' },
  { limit: 1_000_001, per: 'minute' },
  { limit: 1 },
  { limit: 1, per: 'day' },
  { limit: 1, per: 'hour', burst: 2 },
];
const POLICIES = [
  { attempts: 8, base: '5s', factor: 5, max: '24h' },
  { attempts: 8, base: '5s', factor: 5, max: '24h', give_up_on: ['4xx', 501] },
  { attempts: 8, base: '5s', factor: 5 },
  { attempts: 8, base: '5s', factor: 5, max: '24h', jitter: 0 },
  { schedule: ['0s', '5m'] },
  { schedule: [] },
  { schedule: ['5'] },
  { schedule: ['5s'], attempts: 3 },
  { schedule: '5s' },
];
const CODES = [[], [404], ['4xx', 501], ['2xx'], [299], [600], ['404'], [404.5]];
/** Durations that every field with a duration takes, and texts that are none. */
const SHORT = ['1s', '1.5s', '1000ms', '60s', '1m', ' 1s', '1S', '1 s', '1w', '90'];
const KINDS = [['delivery'], ['delivery', 'silence'], ['delivery', 'delivery'], ['outage']];
/** A source that needs no other member. */
const SOURCE = { provider: 'token', secrets: ['a token'], in: 'header.x-token' };
const SOURCES = [
  SOURCE,
  { ...SOURCE, provider: 'tokn' },
  { ...SOURCE, secrets: [] },
  { ...SOURCE, secrets: ['********'] },
  { ...SOURCE, secrets: Array(11).fill('a') },
  { ...SOURCE, in: 'cookie.token' },
  { ...SOURCE, enforce: true, url: null },
  { ...SOURCE, enforce: 'yes' },
  { provider: 'basic', secrets: ['user:a password', 'user:another'] },
];
const DEDUPES = [
  { by: 'provider' },
  { by: 'provder' },
  { by: ['header.x-id', 'body.id'] },
  { by: ['body.id', 'body.id'] },
  { by: ['body.id', 'bdy.id'] },
  { by: ['*'] },
  { by: [] },
  { by: 'provider', since: 'now' },
];
const OF_FIELD: Record<string, unknown[]> = {
  ...{ headers: HEADERS, rate: RATES, retry: POLICIES, give_up_on: CODES },
  ...{ timeout: SHORT, hold: SHORT, overlap: SHORT, base: SHORT, max: SHORT },
  ...{
    state: ['active', 'paused', 'disabled'],
    path: ['append', 'ignore'],
    breaker: ['on', 'off'],
  },
  ...{ concurrency: ['auto', 256, 257], per: ['second', 'seconds'], limit: [10, 1e6, 1e6 + 1] },

  ...{ from: TIMES, to: TIMES, secret: SECRETS, content_type: MEDIA_TYPES },
  ...{ scopes: SCOPES, expires_in: DURATIONS },
  ...{ source: SOURCES, dedupe: DEDUPES, last: [10, 1000, 1001] },
  ...{ expect_every: RETENTIONS, kinds: KINDS, type: ['slack', 'pager'] },
  ...{ retention: RETENTIONS, order_by: ORDERS, body_base64: BASE64 },
  ...{ language: LANGUAGES, framework: FRAMEWORKS, method: ['GET', 'report', 'G E T'] },
};

const noReferences = (ref: string): Schema => expect.fail(`an input refers to ${ref}`);
const isDescribed = (schema: Schema, value: unknown) =>
  violations(schema, value, noReferences).length === 0;

/** Bodies that are taken as they are; all fields of them and of the document are varied. */
const BODIES: Record<string, Record<string, unknown>> = {
  'POST /api/tokens': { name: 'ci', endpoint_ids: null },
  'POST /api/endpoints': { name: 'hooks' },
  'PATCH /api/endpoints/{id}': { name: 'hooks' },
  'PATCH /api/issues/{issueId}': { state: 'acknowledged' },
  'POST /api/channels': { type: 'webhook', url: 'https://198.51.100.1/' },
  'PATCH /api/channels/{channelId}': { kinds: null },
  'POST /api/endpoints/{id}/destinations': { url: 'https://198.51.100.1/' },
  'PATCH /api/endpoints/{id}/destinations/{destinationId}': { name: 'billing' },
  'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret': {},
  'POST /api/endpoints/{id}/replay': { dry_run: true },
  'POST /api/endpoints/{id}/events/{eventId}/replay': {},
  'POST /api/endpoints/{id}/events/{eventId}/edit': {},
  'POST /api/events/{eventId}/signed-headers': {},
  'POST /api/endpoints/{id}/rules/try': { filter: 'method=POST' },
  'POST /api/endpoints/{id}/source/check': { source: SOURCE, last: 10 },
  'POST /api/endpoints/{id}/test-events': { sample: 'stripe.invoice.paid' },
  'POST /api/endpoints/{id}/events/{eventId}/ai/handler': {
    language: 'typescript',
    framework: 'express',
  },
};
/** Objects inside bodies, whose fields are varied too. */
const INNER: Record<string, Record<string, unknown>> = {
  response: { status: 200 },
  rate: { limit: 10, per: 'second' },
  retry: { attempts: 8, base: '5s', factor: 5, max: '24h' },
};
/** What no schema can say: whether a URL is public or a destination is there, a real sample's name is not among the values. */
const NOT_VARIED = new Set(['url', 'destination_id']);
/** The bytes of these are counted: in ASCII they are the characters that the document counts. */
const isBeyondSchema = (name: string, value: unknown) =>
  name === 'secret' && typeof value === 'string' && value.length < Buffer.byteLength(value);

/** @param shares each field is given one value of so many */
export function describeInputs(server: TestServer, { shares }: { shares: number }): void {
  let paths: Record<string, Record<string, Operation>>;
  let account: Account;
  let endpoint: Endpoint;
  /** Has the destinations that are added and changed, and no events: nothing is sent. */
  let eventless: Endpoint;
  let eventId: string;
  let destinationId: string;
  let channelId: string;
  let issueId: string;

  beforeAll(async () => {
    paths = expectStatus(200, await callApi(server, 'GET', '/api/openapi.json')).paths;
    account = await register(server);
    endpoint = await account.createEndpoint();
    eventless = await account.createEndpoint();
    const url = 'https://198.51.100.1/';
    destinationId = (await account.addDestination(eventless, url)).id;
    // Replays need a destination. A paused one holds its deliveries.
    await account.addDestination(endpoint, url, undefined, { state: 'paused' });
    issueId = storedIssue(server, endpoint.id);
    const channel = { type: 'webhook', url };
    channelId = expectStatus(201, await account.call('POST', '/api/channels', channel)).id;
    eventId = await capture(endpoint.capture_url, '{"type": "ping"}');
  });

  let asked = 0;
  /** What a field is given: the next share of its values, so that fields take turns. */
  const valuesOf = (name: string): unknown[] => {
    const turn = asked++ % shares;
    const values = [...TEXTS, ...OTHERS, ...(OF_FIELD[name] ?? [])];
    return values.filter((_, i) => i % shares === turn);
  };

  function bodySchema(operation: string): { schema: Schema; required: boolean | undefined } {
    const [method = '', path = ''] = operation.split(' ');
    const { requestBody } = (paths[path] as Record<string, Operation>)[
      method.toLowerCase()
    ] as Operation;
    const schema = requestBody?.content['application/json']?.schema as Schema;
    return { schema, required: requestBody?.required };
  }

  /** The members of a body, in any of its forms. */
  const fieldsOf = ({ properties = {}, oneOf = [] }: Schema): [string, Schema][] => [
    ...new Map([...oneOf.flatMap(fieldsOf), ...Object.entries(properties)]),
  ];

  /** The members of the objects that a field may be. */
  const partsOf = ({ properties = {}, anyOf = [] }: Schema): string[] => [
    ...new Set([...Object.keys(properties), ...anyOf.flatMap(partsOf)]),
  ];

  const fill = (path: string) =>
    path
      .replace('{id}', path.includes('/destinations') ? eventless.id : endpoint.id)
      .replace('{eventId}', eventId)
      .replace('{destinationId}', destinationId)
      .replace('{channelId}', channelId)
      .replace('{issueId}', issueId);

  /** Whether the server takes an input; the operation may fail for another reason. */
  async function isTaken(method: string, path: string, body?: unknown): Promise<boolean> {
    const { status, text } = await account.call(method, fill(path), body);
    expect(status, text).toBeLessThan(500);
    expect([200, 201, 202, 400, 404, 409], text).toContain(status);
    return status !== 400;
  }

  test.each(Object.keys(BODIES))('%s takes the bodies that are described', async (operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const base = BODIES[operation] as Record<string, unknown>;
    const { schema } = bodySchema(operation);
    const bodies: Record<string, unknown>[] = [base];
    for (const [name, field] of fieldsOf(schema)) {
      if (NOT_VARIED.has(name)) continue;
      for (const value of valuesOf(name)) {
        if (!isBeyondSchema(name, value)) bodies.push({ ...base, [name]: value });
      }
      const inner = INNER[name];
      for (const part of inner ? partsOf(field) : []) {
        for (const value of valuesOf(part)) {
          bodies.push({ ...base, [name]: { ...inner, [part]: value } });
        }
      }
    }
    // Whether a URL is public can't be told, but whether it is a text can.
    if (fieldsOf(schema).some(([name]) => name === 'url')) bodies.push({ ...base, url: 7 });
    if ('framework' in base) {
      for (const language of LANGUAGES) {
        for (const framework of FRAMEWORKS) bodies.push({ language, framework });
      }
    }
    const differing: unknown[] = [];
    let taken = 0;
    for (const body of bodies) {
      const described = isDescribed(schema, body);
      const isOk = await isTaken(method, path, body);
      if (isOk) taken++;
      if (isOk !== described) differing.push({ body, described, taken: isOk });
    }
    expect(differing).toEqual([]);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(bodies.length);
  });

  test.each(Object.keys(BODIES))('%s wants a body where it says so', async (operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const { required } = bodySchema(operation);
    // Without a source there is nothing to check.
    expectStatus(200, await account.call('PATCH', fill('/api/endpoints/{id}'), { source: SOURCE }));
    expect(required).toBe(!(await isTaken(method, path)));
  });

  test('every operation with a body is among these, but for those that count tries', () => {
    const withBody = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { requestBody }]) => requestBody?.content['application/json'])
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    const tried = withBody.filter((operation) => !operation.includes('/api/auth/'));
    expect(tried.sort()).toEqual(Object.keys(BODIES).sort());
  });

  test.each([
    ['GET', '/api/events'],
    ['GET', '/api/issues'],
    ['GET', '/api/endpoints/{id}/events'],
    ['GET', '/api/endpoints/{id}/deliveries'],
    ['DELETE', '/api/endpoints/{id}/destinations/{destinationId}'],
  ])('%s %s takes the query that is described', async (method, path) => {
    const { parameters } = (paths[path] as Record<string, Operation>)[
      method.toLowerCase()
    ] as Operation;
    const queried = parameters.filter((one) => one.in === 'query');
    expect(queried.length).toBeGreaterThan(0);
    const differing: unknown[] = [];
    for (const { name, schema, allowEmptyValue } of queried) {
      // A lone surrogate has no form in a URL.
      for (const value of valuesOf(name)) {
        if (typeof value !== 'string' || !value.isWellFormed()) continue;
        const text = value;
        const read = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
        const described = (text === '' && allowEmptyValue === true) || isDescribed(schema, read);
        const target = `${fill(path.replace('{destinationId}', 'dst_none'))}?${name}=${encodeURIComponent(text)}`;
        const { status } = await account.call(method, target);
        if ((status !== 400) !== described) differing.push({ name, text, described, status });
      }
    }
    expect(differing).toEqual([]);
  });
}
