import { expect, test } from 'vitest';
import { type Account, callApi, expectStatus, register } from '../../fixtures/account.ts';
import { makeToken } from '../../fixtures/api-tokens.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { storedIssue } from '../../fixtures/stored-issue.ts';

/* What the API shows of issues, and how people change them. */

failOnLeaks();
const server = serverOfFile();

async function made() {
  const account = await register(server);
  return { account, endpoint: await account.createEndpoint({ name: 'orders' }) };
}

const list = async (account: Account, query = '') =>
  expectStatus(200, await account.call('GET', `/api/issues${query}`));
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
const set = (account: Account, id: string, state: unknown) =>
  account.call('PATCH', `/api/issues/${id}`, { state });

test('an issue is listed and shown with its cause and what to do', async () => {
  const { account, endpoint } = await made();
  const { id: destinationId } = await account.addDestination(endpoint, 'http://127.0.0.1:1/hooks');
  const lastAt = Date.now() - 60_000;
  const eventIds = ['evt_00000000000000000000000002', 'evt_00000000000000000000000001'];
  const id = storedIssue(server, endpoint.id, {
    ...{ kind: 'delivery', destinationId, subject: 'http_503', count: 2, lastAt, eventIds },
  });
  const issue = expectStatus(200, await account.call('GET', `/api/issues/${id}`));
  expect(issue).toEqual({
    id,
    kind: 'delivery',
    state: 'open',
    endpoint_id: endpoint.id,
    destination_id: destinationId,
    title: expect.stringContaining('503'),
    cause: expect.stringMatching(/\w/),
    suggestion: expect.stringMatching(/hookrelay /),
    count: 2,
    first_at: new Date(lastAt).toISOString(),
    last_at: new Date(lastAt).toISOString(),
    event_ids: eventIds,
  });
  expect(await list(account)).toEqual({ data: [issue], page: 1, limit: 50, total: 1 });
});

test('the list filters by state, kind and endpoint, the last changed first', async () => {
  const { account, endpoint } = await made();
  const other = await account.createEndpoint();
  const now = Date.now();
  const first = storedIssue(server, endpoint.id, { lastAt: now - 3000 });
  const ended = storedIssue(server, other.id, { state: 'resolved', lastAt: now - 1000 });
  const silent = storedIssue(server, other.id, { kind: 'drift', lastAt: now - 2000 });
  storedIssue(server, endpoint.id, { kind: 'drift', state: 'forming' });
  expect(idsOf(await list(account))).toEqual([ended, silent, first]);
  expect(idsOf(await list(account, '?state=open'))).toEqual([silent, first]);
  expect(idsOf(await list(account, '?state=resolved'))).toEqual([ended]);
  expect(idsOf(await list(account, '?kind=drift'))).toEqual([silent]);
  expect(idsOf(await list(account, `?endpoint=${endpoint.id}`))).toEqual([first]);
  expect(idsOf(await list(account, '?endpoint=ep_none'))).toEqual([]);
  const page = await list(account, '?limit=1&page=2');
  expect([idsOf(page), page.page, page.limit, page.total]).toEqual([[silent], 2, 1, 3]);
});

test.each(['state=done', 'kind=outage', 'endpoint=a b', 'limit=201', 'page=0'])(
  'the list refuses %s',
  async (query) => {
    const { account } = await made();
    const answer = await account.call('GET', `/api/issues?${encodeURI(query)}`);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_input']);
  },
);

test.each(['acknowledged', 'resolved', 'ignored'])('a person makes an issue %s', async (state) => {
  const { account, endpoint } = await made();
  const id = storedIssue(server, endpoint.id);
  expect(expectStatus(200, await set(account, id, state))).toMatchObject({ id, state });
  expect(expectStatus(200, await set(account, id, state))).toMatchObject({ id, state });
  expect(idsOf(await list(account, `?state=${state}`))).toEqual([id]);
  expect(await list(account, '?state=open')).toMatchObject({ data: [], total: 0 });
});

test.each(['open', 'forming', '', null, 7])('no person makes an issue %j', async (state) => {
  const { account, endpoint } = await made();
  const answer = await set(account, storedIssue(server, endpoint.id), state);
  expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_input']);
});

test('a resolved issue is kept from its end on, however long ago its cause was seen', async () => {
  const { account, endpoint } = await made();
  const lastAt = Date.now() - 100 * 86_400_000;
  const id = storedIssue(server, endpoint.id, { lastAt });
  const acknowledged = expectStatus(200, await set(account, id, 'acknowledged'));
  expect(Date.parse(acknowledged.last_at)).toBe(lastAt);
  const before = Date.now();
  const resolved = expectStatus(200, await set(account, id, 'resolved'));
  expect(Date.parse(resolved.last_at)).toBeGreaterThanOrEqual(before);
});

test('nobody sees a forming issue, or another account’s', async () => {
  const { account, endpoint } = await made();
  const forming = storedIssue(server, endpoint.id, { kind: 'drift', state: 'forming' });
  const id = storedIssue(server, endpoint.id);
  const stranger = await register(server);
  for (const [who, one] of [
    [account, forming],
    [stranger, id],
    [account, 'iss_none'],
  ] as const) {
    for (const answer of [
      await who.call('GET', `/api/issues/${one}`),
      await set(who, one, 'resolved'),
    ]) {
      expect([answer.status, answer.json.error.code]).toEqual([404, 'issue_not_found']);
    }
  }
  expect((await list(stranger)).total).toBe(0);
});

test('a token sees the issues of its endpoints, and changes them only by the scope write', async () => {
  const { account, endpoint } = await made();
  const other = await account.createEndpoint();
  const [own, beyond] = [storedIssue(server, endpoint.id), storedIssue(server, other.id)];
  const rights = { scopes: ['read'], endpoint_ids: [endpoint.id] };
  const { authorization } = await makeToken(server, account, rights);
  const call = (method: string, path: string, body?: unknown) =>
    callApi(server, method, path, body, { headers: { authorization } });
  expect(idsOf((await call('GET', '/api/issues')).json)).toEqual([own]);
  expect((await call('GET', `/api/issues/${own}`)).status).toBe(200);
  expect((await call('GET', `/api/issues/${beyond}`)).status).toBe(404);
  expect((await call('PATCH', `/api/issues/${own}`, { state: 'ignored' })).status).toBe(403);
  expect((await call('GET', '/api/channels')).status).toBe(403);
});

test('the issues of a deleted endpoint are gone', async () => {
  const { account, endpoint } = await made();
  const id = storedIssue(server, endpoint.id);
  expectStatus(204, await account.call('DELETE', `/api/endpoints/${endpoint.id}`));
  expect((await list(account)).total).toBe(0);
  expect((await account.call('GET', `/api/issues/${id}`)).status).toBe(404);
});

test('an endpoint expects events, and the audit says so', async () => {
  const { account, endpoint } = await made();
  const path = `/api/endpoints/${endpoint.id}`;
  expect(endpoint.expect_every).toBeNull();
  const change = async (expect_every: unknown) => account.call('PATCH', path, { expect_every });
  expect(expectStatus(200, await change('900s')).expect_every).toBe('15m');
  const { data } = expectStatus(200, await account.call('GET', '/api/audit?limit=1'));
  expect(data[0].changes).toEqual({ expect_every: [null, '15m'] });
  for (const wrong of ['999ms', '366d', '15', 15, '']) {
    const answer = await change(wrong);
    expect([answer.status, answer.json.error.issues?.[0]?.path]).toEqual([400, 'expect_every']);
  }
  expect(expectStatus(200, await change(null)).expect_every).toBeNull();
  expect((await account.createEndpoint({ expect_every: '1s' })).expect_every).toBe('1s');
});
