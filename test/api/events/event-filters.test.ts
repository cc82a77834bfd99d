import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { makeToken } from '../../fixtures/api-tokens.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/* `type` and `where` of lists and bulk replays, and the list of a whole account. */

failOnLeaks();
const server = serverOfFile();

let account: Account;
let orders: EndpointAnswer;
let users: EndpointAnswer;
/** Ids by what was captured, in order. */
const ids = {} as Record<'paid' | 'void' | 'push' | 'plain', string>;

beforeAll(async () => {
  account = await register(server);
  orders = await account.createEndpoint({ name: 'orders' });
  users = await account.createEndpoint({ name: 'users' });
  const send = (endpoint: EndpointAnswer, body: string, headers = {}) =>
    capture(endpoint.capture_url, body, { headers });
  const stripe = { 'stripe-signature': 't=1,v1=00' };
  ids.paid = await send(orders, '{"type":"invoice.paid","amount":12345678901234567890}', stripe);
  ids.void = await send(orders, '{"type":"invoice.voided","amount":12345678901234567891}', stripe);
  ids.push = await send(users, '{"ref":"main"}', { 'x-github-event': 'push' });
  ids.plain = await send(users, 'plain text');
});

const RULES: [name: string, query: Record<string, string>, found: (keyof typeof ids)[]][] = [
  ['no filter', {}, ['plain', 'push', 'void', 'paid']],
  ['a type that the body names', { type: 'invoice.paid' }, ['paid']],
  ['a type that the headers name', { type: 'push' }, ['push']],
  ['a type that none has', { type: 'Push' }, []],
  ['a rule in text', { where: 'body.type^=invoice.' }, ['void', 'paid']],
  ['a rule as JSON', { where: '{"body": {"amount": 12345678901234567890}}' }, ['paid']],
  ['a rule about the type', { where: 'type=invoice.paid or type=push' }, ['push', 'paid']],
  ['both', { type: 'invoice.paid', where: 'body.type=invoice.voided' }, []],
  ['a rule and another filter', { where: 'method=POST', q: 'plain' }, ['plain']],
];

describe('GET /api/events', () => {
  const list = async (query: Record<string, string>, authorization = account.authorization) =>
    expectStatus(
      200,
      await callApi(server, 'GET', `/api/events?${new URLSearchParams(query)}`, undefined, {
        headers: { authorization },
      }),
    );

  test.each(RULES)('with %s', async (_, query, found) => {
    const { data, total } = await list(query);
    expect(data.map(({ id }: { id: string }) => id)).toEqual(found.map((name) => ids[name]));
    expect(total).toBe(found.length);
  });

  test('names the endpoint of each event, and pages like an endpoint’s list', async () => {
    const { data, ...page } = await list({ limit: '2', page: '2' });
    expect(page).toEqual({ page: 2, limit: 2, total: 4 });
    expect(data).toEqual(
      [ids.void, ids.paid].map((id) => ({
        id,
        status: 'received',
        method: 'POST',
        received_at: expect.any(String),
        endpoint_id: orders.id,
      })),
    );
    const summaries = (await list({ view: 'summary' })).data;
    expect(
      summaries.map((one: Record<string, unknown>) => [one.endpoint_id, one.event_type]),
    ).toEqual([
      [users.id, null],
      [users.id, 'push'],
      [orders.id, 'invoice.voided'],
      [orders.id, 'invoice.paid'],
    ]);
  });

  test('shows a limited token its endpoints only, and no account another’s', async () => {
    const { authorization } = await makeToken(server, account, { endpoint_ids: [users.id] });
    expect(await list({}, authorization)).toMatchObject({ total: 2 });
    expect(await list({ type: 'invoice.paid' }, authorization)).toMatchObject({ total: 0 });
    expect(await list({ where: 'method=POST' }, authorization)).toMatchObject({ total: 2 });
    const stranger = await register(server);
    expect(await list({ where: 'method=POST' }, stranger.authorization)).toMatchObject({
      total: 0,
    });
  });
});

test.each(RULES)('an endpoint’s list with %s', async (_, query, found) => {
  const inOrders = found.filter((name) => name === 'paid' || name === 'void');
  const { data, total } = await account.list(orders, `?${new URLSearchParams(query)}`);
  expect([data.map(({ id }) => id), total]).toEqual([
    inOrders.map((name) => ids[name]),
    inOrders.length,
  ]);
});

describe('a rule that can’t be read is 400, with its place', () => {
  const refusals: [where: unknown, path: string, message: RegExp][] = [
    ['body.a = ', 'where', /column \d+/],
    ['bdy=1', 'where', /column 1/],
    ['{"body": {"a": ', 'where', /JSON/],
    ['{"bdy": 1}', 'where.bdy', /./],
    ['{"body": {"a": {"$gt": true}}}', 'where.body.a.$gt', /./],
    [{ bdy: 1 }, 'where.bdy', /./],
    [7, 'where', /must be a rule/],
    [null, 'where', /must be a rule/],
  ];

  test.each(refusals)('%j', async (where, path, message) => {
    const replay = `/api/endpoints/${orders.id}/replay`;
    const answers = [await account.call('POST', replay, { where, dry_run: true })];
    if (typeof where === 'string') {
      for (const route of ['events', 'stream', `endpoints/${orders.id}/events`]) {
        const target = `/api/${route}?where=${encodeURIComponent(where)}`;
        answers.push(await account.call('GET', target));
      }
    }
    for (const { status, json } of answers) {
      expect([status, json.error.code]).toEqual([400, 'invalid_input']);
      expect(json.error.issues).toEqual([{ path, message: expect.stringMatching(message) }]);
    }
  });
});

describe('a bulk replay', () => {
  test.each(RULES)('counts with %s', async (_, query, found) => {
    const path = `/api/endpoints/${orders.id}/replay`;
    const answer = await account.call('POST', path, { ...query, dry_run: true });
    const inOrders = found.filter((name) => name === 'paid' || name === 'void');
    expect([answer.status, answer.json]).toEqual([200, { matching: inOrders.length }]);
  });

  test('replays what fits a rule, text or object, and only that', async () => {
    const endpoint = await account.createEndpoint();
    const wanted: string[] = [];
    for (let i = 0; i < 6; i++) {
      const id = await capture(endpoint.capture_url, JSON.stringify({ n: i, kind: `k${i % 2}` }));
      if (i % 2 === 1) wanted.push(id);
    }
    const target = await httpReceiver();
    await account.addDestination(endpoint, target.url);
    const path = `/api/endpoints/${endpoint.id}/replay`;
    const where = { body: { kind: 'k1' } };
    expect(await account.call('POST', path, { where })).toMatchObject({
      status: 202,
      json: { queued: 3 },
    });
    await until('they are delivered', async () => {
      return (await account.list(endpoint, '?status=delivered')).total === 3;
    });
    const delivered = (await account.list(endpoint, '?status=delivered')).data;
    expect(delivered.map(({ id }) => id).sort()).toEqual(wanted.sort());
    expect(target.requests).toHaveLength(3);
  });
});
