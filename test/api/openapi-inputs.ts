import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { type Schema, violations } from '../fixtures/json-schema.ts';
import type { TestServer } from '../fixtures/running-server.ts';
import { storedIssue } from '../fixtures/stored-issue.ts';
import { FRAMEWORKS, LANGUAGES, OF_FIELD, OTHERS, SOURCE, TEXTS } from './openapi-input-values.ts';

/*
 * What the OpenAPI document says of an input is what the server takes: each field
 * is given each of many values, and the server refuses those that the document
 * refuses, and no others.
 */

interface Operation {
  parameters: { name: string; in: string; schema: Schema; allowEmptyValue?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
}

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

/** What the parameters of paths name. */
interface Place {
  id: string;
  destinationId: string;
  channelId: string;
  eventId: string;
  issueId: string;
}

/** @param shares each field is given one value of so many */
export function describeInputs(server: TestServer, { shares }: { shares: number }): void {
  let paths: Record<string, Record<string, Operation>>;
  let account: Account;
  let channelId: string;
  let place: Place;

  beforeAll(async () => {
    paths = expectStatus(200, await callApi(server, 'GET', '/api/openapi.json')).paths;
    account = await register(server);
    const channel = { type: 'webhook', url: 'https://198.51.100.1/' };
    channelId = expectStatus(201, await account.call('POST', '/api/channels', channel)).id;
  });

  // Each test has a place of its own, and its destination is paused: otherwise every edit
  // and every replay is delivered, and retried, to all destinations of other tests.
  beforeEach(async () => {
    const url = 'https://198.51.100.1/';
    const endpoint = await account.createEndpoint();
    const destination = await account.addDestination(endpoint, url, undefined, { state: 'paused' });
    place = {
      id: endpoint.id,
      destinationId: destination.id,
      channelId,
      eventId: await capture(endpoint.capture_url, '{"type": "ping"}'),
      issueId: storedIssue(server, endpoint.id),
    };
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
    path.replace(/\{(\w+)\}/g, (_, name) => place[name as keyof Place]);

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

  test('a body is wanted where the document says so', async () => {
    // Without a source there is nothing to check.
    expectStatus(200, await account.call('PATCH', fill('/api/endpoints/{id}'), { source: SOURCE }));
    const differing: unknown[] = [];
    for (const operation of Object.keys(BODIES)) {
      const [method = '', path = ''] = operation.split(' ');
      const { required } = bodySchema(operation);
      const isOk = await isTaken(method, path);
      if (required !== !isOk) differing.push({ operation, required, taken: isOk });
    }
    expect(differing).toEqual([]);
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
