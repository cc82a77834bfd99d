import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { SearchTurns } from '../../../src/api/events/search-turns.ts';
import { ruleTrialRoutes } from '../../../src/api/rules/rule-trial-routes.ts';
import type { TriedEvent } from '../../../src/store/contract/events.ts';
import { type Account, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

/* POST /api/endpoints/{id}/rules/try */

failOnLeaks();
const server = serverOfFile();

let account: Account;
let endpoint: EndpointAnswer;
let destination: string;
const amounts = [50, 150, 'much', null, undefined];
/** In the order of `amounts`. */
const ids: string[] = [];

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
  destination = (await account.addDestination(endpoint, 'http://127.0.0.1:1/')).id;
  const path = `/api/endpoints/${endpoint.id}/destinations/${destination}`;
  expectStatus(200, await account.call('PATCH', path, { filter: 'body.amount=150' }));
  for (const amount of amounts) {
    ids.push(await capture(endpoint.capture_url, JSON.stringify({ amount })));
  }
});

const call = (body: unknown) =>
  account.call('POST', `/api/endpoints/${endpoint.id}/rules/try`, body);
const tryRule = async (body: unknown) => expectStatus(200, await call(body));

test('a rule is compared with the destination’s present one', async () => {
  const rule = { filter: 'body.amount>=100 or body.amount=50', destination_id: destination };
  expect(await tryRule(rule)).toEqual({
    tried: 5,
    matched: 2,
    dropped: 3,
    failed: 2,
    changed: [{ event_id: ids[0], before: 'dropped', after: 'matched' }],
    changed_total: 1,
    samples: [
      {
        event_id: ids[3],
        output: 'dropped',
        error: 'body.amount is null: $gte takes numbers and text',
        logs: [],
        diff: null,
      },
      {
        event_id: ids[2],
        output: 'dropped',
        error:
          'body.amount is text: $gte compares it with a number only if it is one, such as "500.00"',
        logs: [],
        diff: null,
      },
      { event_id: ids[0], output: 'matched', logs: [], diff: null },
      { event_id: ids[4], output: 'dropped', logs: [], diff: null },
      { event_id: ids[1], output: 'matched', logs: [], diff: null },
    ],
  });
});

test('without a destination, it is compared with no filter', async () => {
  const { matched, changed_total: changed } = await tryRule({ filter: { body: { amount: 50 } } });
  expect([matched, changed]).toEqual([1, 4]);
});

test('without a rule, the destination’s present one is tried', async () => {
  const answer = await tryRule({ destination_id: destination });
  expect(answer).toMatchObject({ tried: 5, matched: 1, changed: [], changed_total: 0 });
});

test('null is no filter', async () => {
  const answer = await tryRule({ filter: null, destination_id: destination });
  expect(answer).toMatchObject({ tried: 5, matched: 5, changed_total: 4 });
});

test('it is tried on the newest events, or on those that are named', async () => {
  const tried = async (events: object) =>
    (await tryRule({ filter: 'method=POST', ...events })).samples.map(
      ({ event_id }: { event_id: string }) => event_id,
    );
  expect(await tried({ last: 2 })).toEqual([ids[4], ids[3]]);
  expect(await tried({ event_ids: [ids[1], 'evt_none', ids[3]] })).toEqual([ids[3], ids[1]]);
  expect(await tried({ event_ids: [] })).toEqual([]);
});

test('another endpoint’s events are none', async () => {
  const other = await account.createEndpoint();
  const id = await capture(other.capture_url);
  expect(await tryRule({ filter: 'method=POST', event_ids: [id] })).toMatchObject({ tried: 0 });
});

test('10,000 ids are taken', async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `evt_${String(i).padStart(26, '0')}`);
  expect(await tryRule({ filter: 'method=POST', event_ids: many })).toMatchObject({ tried: 0 });
  const answer = await call({ filter: 'method=POST', event_ids: [...many, 'evt_one_more'] });
  expect([answer.status, answer.json.error.issues[0].path]).toEqual([400, 'event_ids']);
});

test('nothing is saved, delivered or audited', async () => {
  const before = expectStatus(200, await account.call('GET', '/api/audit')).total;
  await tryRule({ filter: 'method=GET', destination_id: destination });
  expect(expectStatus(200, await account.call('GET', '/api/audit')).total).toBe(before);
  const path = `/api/endpoints/${endpoint.id}/destinations/${destination}`;
  expect(expectStatus(200, await account.call('GET', path)).filter).toBe('body.amount=150');
});

test('an unknown destination is 404', async () => {
  const answer = await call({ filter: 'method=POST', destination_id: 'dst_none' });
  expect([answer.status, answer.json.error.code]).toEqual([404, 'destination_not_found']);
});

test.each([
  [{}, 'filter', /destination_id/],
  [{ filter: 'bdy=1' }, 'filter', /column 1/],
  [{ filter: { bdy: 1 } }, 'filter.bdy', /./],
  [{ filter: 'method=POST', last: 0 }, 'last', /1 to 10000/],
  [{ filter: 'method=POST', last: 10_001 }, 'last', /1 to 10000/],
  [{ filter: 'method=POST', last: 1.5 }, 'last', /1 to 10000/],
  [{ filter: 'method=POST', last: 1, event_ids: [] }, 'event_ids', /last/],
  [{ filter: 'method=POST', transform: { code: '' } }, 'transform', /not implemented yet/],
  [{ filter: 'method=POST', limit: 1 }, 'limit', /not a known member/],
])('%j is refused', async (body, path, message) => {
  const { status, json } = await call(body);
  expect([status, json.error.code, json.error.issues]).toEqual([
    400,
    'invalid_input',
    [{ path, message: expect.stringMatching(message) }],
  ]);
});

describe('an account', () => {
  /** The route on a store that answers on request. */
  function heldRoute() {
    const ends: ((tried: TriedEvent[]) => void)[] = [];
    const [route] = ruleTrialRoutes({
      searches: new SearchTurns(),
      events: { tryRules: () => new Promise((resolve) => ends.push(resolve)) },
      destinations: { get: async () => null },
    });
    const run = async (user: string) =>
      route?.handle({
        principal: { user: { id: user } },
        endpoint: { key: 1 },
        body: { filter: 'method=POST' },
      } as never);
    return { run, end: () => ends.shift()?.([]) };
  }

  test('tries one rule at a time, and no other account waits for it', async () => {
    const { run, end } = heldRoute();
    const [first, other] = [run('ada'), run('bob')];
    await expect(run('ada')).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 5 });
    end();
    end();
    await Promise.all([first, other]);
    const again = run('ada');
    end();
    expect(await again).toMatchObject({ tried: 0 });
  });
});
