import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { MOST_TYPES } from '../../../src/core/shapes/most-types.ts';
import { type Account, capture, expectStatus, register } from '../../fixtures/account.ts';
import { request } from '../../fixtures/http-request.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { learnedTypes, untilLearned, valuesAt } from './learned-types.ts';

/* A real server learns types from what it captures. */

failOnLeaks();
const server = serverOfFile();

interface Place {
  account: Account;
  endpoint: { id: string; public_token: string };
  url: string;
}

async function made(input: Record<string, unknown> = {}): Promise<Place> {
  const account = await register(server);
  const endpoint = await account.createEndpoint(input);
  return { account, endpoint, url: `${server.url}/in/${endpoint.public_token}` };
}

/** Sends a payload as GitHub does. */
const send = ({ url }: Place, type: string, payload: unknown) =>
  capture(url, JSON.stringify(payload), {
    headers: { 'content-type': 'application/json', 'x-github-event': type },
  });

const typesOf = ({ endpoint }: Place) => learnedTypes(server.dataDir, endpoint.id);

const drifts = async ({ account, endpoint }: Place, state = '') => {
  const query = `?kind=drift&endpoint=${endpoint.id}${state && `&state=${state}`}`;
  return expectStatus(200, await account.call('GET', `/api/issues${query}`)).data;
};

test('types come from headers and bodies, others count without a shape', async () => {
  const place = await made();
  await send(place, 'push', { ref: 'main', commits: [{ id: 'a' }] });
  await send(place, 'push', { ref: 'main', commits: [], forced: true });
  const stripe = { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' };
  await capture(place.url, '{"object":"event","type":"invoice.paid","data":{}}', {
    headers: stripe,
  });
  await capture(place.url, 'no JSON', { headers: { 'content-type': 'text/plain' } });
  await untilLearned(server.dataDir);
  const [none, paid, push] = await typesOf(place);
  expect(none).toMatchObject({ type: '', provider: null, count: 1, shape: null });
  expect(paid).toMatchObject({ type: 'invoice.paid', provider: 'stripe', count: 1 });
  expect(push).toMatchObject({ type: 'push', provider: 'github', count: 2 });
  expect([...(push?.shape?.root.members?.keys() ?? [])]).toEqual(['ref', 'commits', 'forced']);
});

test('where there is a source, only verified events are learned from', async () => {
  const secret = 'a-signing-secret-of-the-test';
  server.secrets.push(secret);
  const place = await made({ source: { provider: 'github', secrets: [secret] } });
  const signed = JSON.stringify({ is_signed: true });
  const signature = createHmac('sha256', secret).update(signed).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-github-event': 'push' };
  await send(place, 'push', { is_forged: true });
  await capture(place.url, signed, {
    headers: { ...headers, 'x-hub-signature-256': `sha256=${signature}` },
  });
  await send(place, 'forged', {});
  await untilLearned(server.dataDir);
  const types = await typesOf(place);
  expect(types).toMatchObject([{ type: 'push', count: 1 }]);
  expect([...(types[0]?.shape?.root.members?.keys() ?? [])]).toEqual(['is_signed']);
});

test('a drift opens, counts on, is accepted, and is quiet then', async () => {
  const place = await made({ name: 'orders' });
  const usual = { id: 1, customer: { name: 'Ada', city: 'London' }, total: '10' };
  for (let i = 0; i < 50; i++) await send(place, 'order', usual);
  await untilLearned(server.dataDir);
  expect(await drifts(place)).toEqual([]);
  const changed = { id: 1, customer: { name: 'Ada' }, total: 10, note: 'new' };
  const first = await send(place, 'order', changed);
  const issue = await until('it opens', async () => (await drifts(place, 'open'))[0]);
  expect(issue).toMatchObject({ count: 1, event_ids: [first], endpoint_id: place.endpoint.id });
  expect(issue.title).toContain('order');
  expect(issue.cause).toContain('body.customer.city');
  const second = await send(place, 'order', changed);
  // Another member drifts meanwhile.
  const third = await send(place, 'order', { customer: usual.customer, total: '10' });
  const counted = await until('it counts on', async () =>
    (await drifts(place, 'open')).find(({ count }: { count: number }) => count === 3),
  );
  expect(counted).toMatchObject({ id: issue.id, event_ids: [third, second, first] });

  const path = `/api/issues/${issue.id}`;
  expectStatus(200, await place.account.call('PATCH', path, { state: 'resolved' }));
  await send(place, 'order', changed);
  await send(place, 'order', { customer: usual.customer, total: '10' });
  await send(place, 'order', usual);
  await untilLearned(server.dataDir);
  expect(await drifts(place, 'open')).toEqual([]);
  expect(await drifts(place, 'resolved')).toMatchObject([{ id: issue.id, count: 3 }]);
  const [type] = await typesOf(place);
  expect(type?.count).toBe(56);

  // What was accepted stays so, and another drift opens the issue again.
  const last = await send(place, 'order', { ...usual, customer: 'Ada' });
  const again = await until('it opens again', async () => (await drifts(place, 'open'))[0]);
  expect(again).toMatchObject({ id: issue.id, count: 1, event_ids: [last] });
});

test('events of unknown senders have the types of their bodies; those without have no drift', async () => {
  const place = await made({ source: { provider: 'token', in: 'header.x-token', secrets: ['t'] } });
  const sent = (payload: unknown) =>
    capture(place.url, JSON.stringify(payload), {
      headers: { 'content-type': 'application/json', 'x-token': 't' },
    });
  for (let i = 0; i < 50; i++) await sent({ id: i, total: '10' });
  const paid = await sent({ type: 'order.paid', amount: 1 });
  await sent({ event_name: 'order.made', lines: [] });
  await sent({ id: 'another', kind: 'of event' });
  await untilLearned(server.dataDir);
  expect(await drifts(place)).toEqual([]);
  const counts = (await typesOf(place)).map(({ type, count }) => [type, count]);
  expect(counts).toEqual([
    ['', 51],
    ['order.made', 1],
    ['order.paid', 1],
  ]);
  const list = `/api/events?endpoint=${place.endpoint.id}&type=order.paid&view=summary`;
  const { data } = expectStatus(200, await place.account.call('GET', list));
  expect(data).toMatchObject([{ id: paid, provider: null, event_type: 'order.paid' }]);
});

test('a literal value is forgotten when the last event that had it is deleted', async () => {
  const place = await made();
  const ids: string[] = [];
  for (const status of ['paid', 'secret', 'paid', 'secret', 'paid']) {
    ids.push(await send(place, 'order', { status }));
  }
  await untilLearned(server.dataDir);
  expect(valuesAt((await typesOf(place))[0]?.shape, 'status')).toEqual(['paid', 'secret']);
  for (const i of [1, 3]) {
    const path = `/api/endpoints/${place.endpoint.id}/events/${ids[i]}`;
    expectStatus(204, await place.account.call('DELETE', path));
  }
  await until(
    'it is forgotten',
    async () => !valuesAt((await typesOf(place))[0]?.shape, 'status')[1],
  );
  expect(valuesAt((await typesOf(place))[0]?.shape, 'status')).toEqual(['paid']);
});

test('hostile bodies harm nobody, and 500 types are an endpoint’s most', async () => {
  const hostile = await made();
  const other = await made();
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`${'k'.repeat(10)}${i}`, i])),
  );
  const long = JSON.stringify({ ['x'.repeat(200_000)]: 1, __proto__: 1, constructor: { a: 1 } });
  const objects = `{"__proto__":{"a":1},"toString":1,"a":${'{"b":'.repeat(3000)}1${'}'.repeat(3000)}}`;
  const headers = { 'content-type': 'application/json' };
  for (const body of [deep, wide, long, objects, '{"a":1e999}', '{"a":', '\u0000']) {
    await capture(hostile.url, body, { headers });
  }
  const names = Array.from({ length: MOST_TYPES + 50 }, (_, i) => `type${i}`);
  await Promise.all(
    names.map((name) =>
      request(hostile.url, { method: 'POST', body: '{}', headers: { 'x-github-event': name } }),
    ),
  );
  await send(other, 'push', { ref: 'main' });
  await untilLearned(server.dataDir);
  expect(await typesOf(hostile)).toHaveLength(MOST_TYPES);
  expect(await typesOf(other)).toMatchObject([{ type: 'push', count: 1 }]);
  expect(
    server.logged.filter(({ message }) => message.includes('types') || message.includes('learned')),
  ).toEqual([]);
});
