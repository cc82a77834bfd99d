import { expect, test } from 'vitest';
import { type Account, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { learned } from '../../fixtures/learned.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

/* The types of events that an endpoint has received, and their schemas. */

failOnLeaks();
const server = serverOfFile({ defaultPlan: 'pro', ai: 'builtin' });

interface Place {
  account: Account;
  endpoint: { id: string; capture_url: string };
}

async function made(): Promise<Place> {
  const account = await register(server);
  return { account, endpoint: await account.createEndpoint({ name: 'orders' }) };
}

const send = ({ endpoint }: Place, type: string | null, payload: unknown) =>
  capture(endpoint.capture_url, JSON.stringify(payload), {
    headers: { 'content-type': 'application/json', ...(type && { 'x-github-event': type }) },
  });

const get = ({ account, endpoint }: Place, rest: string) =>
  account.call('GET', `/api/endpoints/${endpoint.id}/types${rest}`);

const list = async (place: Place) => expectStatus(200, await get(place, ''));

const untilLearned = ({ account, endpoint }: Place, events: number) =>
  learned(account, endpoint, events);

const schema = async (place: Place, rest: string): Promise<string> =>
  expectStatus(200, await get(place, rest)).schema;

/** Fewer objects prove no rule without exception: all members are optional and nullable. */
const PROVING = 6;

async function known(): Promise<Place> {
  const place = await made();
  await send(place, 'issues', { action: 'opened', number: 1 });
  await send(place, 'push', { ref: 'main', forced: null });
  for (let i = 1; i < PROVING; i++)
    await send(place, 'push', { ref: 'main', forced: true, size: 3 });
  await untilLearned(place, 1 + PROVING);
  return place;
}

let shared: Promise<Place> | undefined;
/** A place of all tests that only read. */
const readKnown = () => {
  shared ??= known();
  return shared;
};

test('the types are listed, the last seen first', async () => {
  const place = await readKnown();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  const both = { provider: 'github', first_at: time, last_at: time };
  expect(await list(place)).toEqual([
    { ...both, type: 'push', count: PROVING },
    { ...both, type: 'issues', count: 1 },
  ]);
});

test('a schema says what all events of its type have in common', async () => {
  const place = await readKnown();
  const typescript = await schema(place, '/push/schema');
  expect(typescript).toContain('export interface GithubPushEvent');
  expect(typescript).toMatch(/forced: (boolean \| null|null \| boolean);/);
  expect(typescript).toContain('size?: number;');
  expect(await schema(place, '/schema?type=push&format=typescript')).toBe(typescript);
});

test.each([
  ['typescript', 'export interface GithubPushEvent'],
  ['zod', 'export const GithubPushEvent = z.object({'],
  ['jsonschema', '"title": "GithubPushEvent"'],
  ['pydantic', 'class GithubPushEvent(BaseModel):'],
  ['go', 'type GithubPushEvent struct {'],
])('a schema comes as %s', async (format, part) => {
  const place = await readKnown();
  expect(await schema(place, `/push/schema?format=${format}`)).toContain(part);
  expect(await schema(place, `/schema?type=push&format=${format}`)).toContain(part);
});

test('a type is named in the query or in the path, whatever its name', async () => {
  const place = await made();
  const names = ['a/b c', 'a%2Fb', '%', 'schema', 'ü?#&=+', "it's", '__proto__', '..'];
  for (const type of names) {
    // Headers hold no letters beyond Latin 1: the body names the type. Each type has another
    // member, so that no name gets the schema of another.
    const data = { [`of${names.indexOf(type)}`]: 1 };
    const body = JSON.stringify({ object: 'event', type, data });
    await capture(place.endpoint.capture_url, body, {
      headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
    });
  }
  await untilLearned(place, names.length);
  const listed = (await list(place)).map(({ type }: { type: string }) => type);
  expect(listed.sort()).toEqual([...names].sort());
  for (const [i, type] of names.entries()) {
    const wanted = await schema(place, `/schema?${new URLSearchParams({ type })}`);
    expect(wanted, type).toContain('export interface Stripe');
    expect(wanted, type).toContain(`of${i}`);
    // A path can't hold the segment "..".
    if (type !== '..')
      expect(await schema(place, `/${encodeURIComponent(type)}/schema`), type).toBe(wanted);
  }
});

test('events without a type have a schema', async () => {
  const place = await made();
  for (let i = 0; i < PROVING; i++) await send(place, null, { total: 10 });
  await untilLearned(place, PROVING);
  expect(await list(place)).toMatchObject([{ type: null, provider: null, count: PROVING }]);
  for (const rest of ['/schema', '/schema?type=']) {
    expect(await schema(place, rest)).toContain('total: number;');
  }
});

test('an unknown type, one without JSON and an unknown format are refused with a hint', async () => {
  const place = await made();
  const refused = async (rest: string) => {
    const { status, json } = await get(place, rest);
    return [status, json.error.code, json.error.hint ?? json.error.message];
  };
  const learning = expect.stringContaining('within seconds');
  expect(await refused('/push/schema')).toEqual([404, 'type_not_found', learning]);
  expect(await refused('/schema')).toEqual([404, 'type_not_found', learning]);
  for (let i = 0; i < 11; i++) await send(place, `type${i}`, {});
  await capture(place.endpoint.capture_url, 'text', { headers: { 'x-github-event': 'text' } });
  await untilLearned(place, 12);
  const named = expect.stringMatching(/^it has text, type10, .*, type2 and 2 more;/);
  expect(await refused('/push/schema')).toEqual([404, 'type_not_found', named]);
  expect(await refused('/%00/schema')).toEqual([404, 'type_not_found', named]);
  expect(await refused('/text/schema')).toEqual([
    404,
    'schema_not_found',
    expect.stringContaining('JSON'),
  ]);
  for (const rest of ['/text/schema?format=rust', '/schema?type=text&format=rust']) {
    expect(await refused(rest)).toEqual([
      400,
      'invalid_input',
      'format: must be one of typescript, zod, jsonschema, pydantic, go',
    ]);
  }
});

test('the AI schema of an event is made over its type when asked', async () => {
  const place = await made();
  const path = `/api/endpoints/${place.endpoint.id}/events`;
  const first = await send(place, 'push', { ref: 'main' });
  for (let i = 1; i < PROVING; i++) await send(place, 'push', { ref: 'main', size: 3 });
  await untilLearned(place, PROVING);
  const of = async (event: string, query: string) =>
    expectStatus(200, await place.account.call('GET', `${path}/${event}/ai/schema${query}`));
  const one = await of(first, '');
  expect(one.schema).not.toContain('size');
  expect(await of(first, '?over=event')).toEqual(one);
  const merged = await of(first, '?over=type');
  expect(merged).toEqual({ schema: await schema(place, '/push/schema'), engine: 'builtin' });
  expect(merged.schema).toContain('size?: number;');
  const wrong = await place.account.call('GET', `${path}/${first}/ai/schema?over=all`);
  expect([wrong.status, wrong.json.error.code]).toEqual([400, 'invalid_input']);
});

test('the AI schema over a type without a schema is that of the event', async () => {
  const place = await made();
  const headers = { 'x-github-event': 'text', 'content-type': 'text/plain' };
  const event = await capture(place.endpoint.capture_url, 'text', { headers });
  await untilLearned(place, 1);
  const path = `/api/endpoints/${place.endpoint.id}/events/${event}/ai/schema`;
  const one = expectStatus(200, await place.account.call('GET', path));
  expect(expectStatus(200, await place.account.call('GET', `${path}?over=type`))).toEqual(one);
});
