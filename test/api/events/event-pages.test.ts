import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { makeToken } from '../../fixtures/api-tokens.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/* The page that has an event, and what a row says of its deliveries. */

/** A retry comes only when the test asks for one. */
const server = serverOfFile({ retryBase: 60_000, retryMax: 60_000 });
let account: Account;
let endpoint: EndpointAnswer;
/** Newest first. */
const ids: string[] = [];

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
  for (let i = 0; i < 25; i++) {
    ids.unshift(
      await capture(endpoint.capture_url, `{"n":${i}}`, { method: i % 5 ? 'POST' : 'PUT' }),
    );
  }
});

const get = (path: string) => account.call('GET', path);

describe('around=', () => {
  test('gives the page of each event, of an endpoint and of the account', async () => {
    for (const [i, id] of ids.entries()) {
      for (const list of [`/api/endpoints/${endpoint.id}/events`, '/api/events']) {
        const found = expectStatus(200, await get(`${list}?limit=10&around=${id}`));
        expect(found.page).toBe(Math.floor(i / 10) + 1);
        expect(found.total).toBe(25);
        expect(found.data[i % 10].id).toBe(id);
      }
    }
  });

  test('counts within the filters', async () => {
    const puts = ids.filter((_, i) => (24 - i) % 5 === 0);
    for (const query of ['method=PUT', 'method=PUT&where=method%3DPUT', 'method=PUT&q=n']) {
      const path = `/api/endpoints/${endpoint.id}/events?limit=2&${query}`;
      const found = expectStatus(200, await get(`${path}&around=${puts[3]}`));
      expect(found).toMatchObject({ page: 2, total: 5 });
      expect(found.data.map(({ id }: { id: string }) => id)).toEqual(puts.slice(2, 4));
    }
  });

  test('refuses an event that the list hasn’t', async () => {
    const other = await account.createEndpoint();
    const foreign = await capture(other.capture_url);
    const stranger = await register(server);
    const strange = await capture((await stranger.createEndpoint()).capture_url);
    const post = ids[0];
    for (const query of [
      ...[`around=${foreign}`, `around=${strange}`, 'around=evt_nope'],
      `method=PUT&around=${post}`,
    ]) {
      const answer = await get(`/api/endpoints/${endpoint.id}/events?${query}`);
      expect(expectStatus(404, answer).error.code).toBe('event_not_found');
    }
    const token = await makeToken(server, account, { endpoint_ids: [other.id] });
    const headers = { authorization: token.authorization };
    const hidden = await callApi(server, 'GET', `/api/events?around=${post}`, undefined, {
      headers,
    });
    expect(expectStatus(404, hidden).error.code).toBe('event_not_found');
  });
});

test('a search ignores case on request', async () => {
  const endpoint = await account.createEndpoint();
  const id = await capture(endpoint.capture_url, '{"state":"Paid"}');
  const list = async (query: string) =>
    expectStatus(200, await get(`/api/endpoints/${endpoint.id}/events?${query}`)).data;
  expect(await list('q=PAID')).toEqual([]);
  expect(await list('q=PAID&ignore_case=false')).toEqual([]);
  expect(await list('q=PAID&ignore_case=true')).toMatchObject([{ id }]);
  const path = `/api/endpoints/${endpoint.id}/replay`;
  const replay = (body: object) => account.call('POST', path, { dry_run: true, ...body });
  expect(expectStatus(200, await replay({ q: 'PAID', ignore_case: true })).matching).toBe(1);
  expect(expectStatus(200, await replay({ q: 'PAID' })).matching).toBe(0);
  const wrong = await get(`/api/endpoints/${endpoint.id}/events?ignore_case=maybe`);
  expect(expectStatus(400, wrong).error.code).toBe('invalid_input');
});

test('a row says what came of its event', async () => {
  const target = await httpReceiver(status(503));
  const delivered = await account.createEndpoint();
  await account.addDestination(delivered, target.url);
  const before = Date.now();
  const id = await capture(delivered.capture_url);
  const row = async () => {
    const path = `/api/endpoints/${delivered.id}/events?view=summary`;
    return expectStatus(200, await get(path)).data[0];
  };
  await until('it was tried', async () => (await row()).attempts === 1);
  expect(await row()).toMatchObject({ id, response_code: 503, latency_ms: null, retries: 0 });
  target.respond = (_, res) => void res.end();
  const { deliveries } = await account.event(delivered, id);
  expectStatus(202, await account.call('POST', `/api/deliveries/${deliveries[0].id}/retry`));
  await until('it succeeded', async () => (await row()).status === 'delivered');
  const { latency_ms, ...rest } = await row();
  expect(rest).toMatchObject({ id, response_code: 503, retries: 1 });
  expect(latency_ms).toBeGreaterThanOrEqual(0);
  expect(latency_ms).toBeLessThanOrEqual(Date.now() - before);
  const { response_code, retries } = await account.event(delivered, id);
  expect({ response_code, retries }).toEqual({ response_code: 503, retries: 1 });
});
