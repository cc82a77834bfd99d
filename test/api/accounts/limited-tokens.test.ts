import { expect, test } from 'vitest';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { type MadeToken, makeToken } from '../../fixtures/api-tokens.ts';
import { openStream } from '../../fixtures/event-stream.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

const server = serverOfFile();

interface Setup {
  account: Account;
  one: { id: string; capture_url: string };
  two: { id: string; capture_url: string };
  /** Limited to `one`. */
  token: MadeToken;
  get(path: string): ReturnType<typeof callApi>;
}

async function setup(): Promise<Setup> {
  const account = await register(server);
  const one = await account.createEndpoint({ name: 'one' });
  const two = await account.createEndpoint({ name: 'two' });
  const token = await makeToken(server, account, { endpoint_ids: [one.id] });
  const headers = { authorization: token.authorization };
  const get = (path: string) => callApi(server, 'GET', path, undefined, { headers });
  return { account, one, two, token, get };
}

test('a limited token lists its endpoints only', async () => {
  const { get, one } = await setup();
  const listed = expectStatus(200, await get('/api/endpoints'));
  expect(listed).toMatchObject([{ id: one.id }]);
  expect(expectStatus(200, await get('/api/me'))).toMatchObject({
    session_id: null,
    scopes: ['read', 'write'],
    endpoint_ids: [one.id],
  });
});

test('the stream of a limited token has the items of its endpoints, also after a resume', async () => {
  const { account, one, two, token } = await setup();
  await account.addDestination(one, 'http://127.0.0.1:1/');
  await account.addDestination(two, 'http://127.0.0.1:1/');
  const early = await capture(one.capture_url);
  await capture(two.capture_url);
  const stream = await openStream(server, '/api/stream?from=2020-01-01', token.authorization);
  await stream.received('event');
  const cursor = stream.lastId;
  const late = await capture(one.capture_url);
  await capture(two.capture_url);
  await stream.received('event', 2);
  await stream.received('attempt', 2);
  stream.close();
  const resumed = await openStream(server, '/api/stream', token.authorization, cursor);
  await resumed.received('event');
  await capture(two.capture_url);
  const last = await capture(one.capture_url);
  await resumed.received('event', 2);
  const idsOf = ({ frames }: typeof stream) =>
    frames.filter(({ event }) => event === 'event').map(({ data }) => data.id);
  expect(idsOf(stream)).toEqual([early, late]);
  expect(idsOf(resumed)).toEqual([late, last]);
  for (const { data } of [...stream.frames, ...resumed.frames]) {
    if (data.endpoint_id !== undefined) expect(data.endpoint_id).toBe(one.id);
  }
  // Nothing of another endpoint stands anywhere in the stream.
  expect(stream.raw + resumed.raw).not.toContain(two.id);
});

test('a deleted endpoint leaves the limit, and the token sees nothing', async () => {
  const { account, one, two, token, get } = await setup();
  const stream = await openStream(server, '/api/stream', token.authorization);
  expectStatus(204, await account.call('DELETE', `/api/endpoints/${one.id}`));
  expect(expectStatus(200, await get('/api/endpoints'))).toEqual([]);
  expect(expectStatus(200, await account.call('GET', '/api/tokens'))).toMatchObject([
    { id: token.id, endpoint_ids: [] },
  ]);
  expectStatus(403, await get('/api/audit'));
  await capture(two.capture_url);
  const after = await openStream(server, '/api/stream?from=2020-01-01', token.authorization);
  await capture(two.capture_url);
  const all = await openStream(server, '/api/stream?from=2020-01-01', account.authorization);
  await all.received('event', 2);
  expect([stream.of('event'), after.of('event')]).toEqual([[], []]);
});

test('rights that no token may have are refused at their place', async () => {
  const { account } = await setup();
  const unknown = `ep_${'0'.repeat(26)}`;
  const wrong: [rights: object, path: string][] = [
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['write'] }, 'scopes'],
    [{ scopes: ['read', 'admin'] }, 'scopes.1'],
    [{ endpoint_ids: [] }, 'endpoint_ids'],
    [{ endpoint_ids: ['x'] }, 'endpoint_ids.0'],
    [{ endpoint_ids: Array(101).fill(unknown) }, 'endpoint_ids'],
    [{ endpoint_ids: [unknown] }, 'endpoint_ids.0'],
    [{ expires_in: '59s' }, 'expires_in'],
    [{ expires_in: '3653d' }, 'expires_in'],
    [{ expires_in: 'soon' }, 'expires_in'],
    [{ expires_in: 90 }, 'expires_in'],
  ];
  for (const [rights, path] of wrong) {
    const { status, json } = await account.call('POST', '/api/tokens', { name: 'ci', ...rights });
    const refusal = [status, json.error.code, json.error.issues?.[0]?.path];
    expect(refusal, JSON.stringify(rights)).toEqual([400, 'invalid_input', path]);
  }
});

test('another account’s endpoint is refused like an unknown one', async () => {
  const { account, one } = await setup();
  const stranger = await register(server);
  const foreign = await stranger.createEndpoint();
  const ask = async (id: string) =>
    (await account.call('POST', '/api/tokens', { name: 'ci', endpoint_ids: [one.id, id] })).json;
  const refused = await ask(foreign.id);
  expect(refused).toEqual(await ask(`ep_${'0'.repeat(26)}`));
  expect(refused.error.issues).toEqual([
    { path: 'endpoint_ids.1', message: 'is not the id of one of your endpoints' },
  ]);
});
