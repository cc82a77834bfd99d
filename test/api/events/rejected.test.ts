import { expect, test } from 'vitest';
import { callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { rejectedRequest, SENT_SECRET, signedHeaders } from '../../fixtures/rejected-request.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

/* What the API shows of verified events, duplicates, and requests that a source refused. */

failOnLeaks();
const server = serverOfFile();

async function made() {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const path = `/api/endpoints/${endpoint.id}`;
  const change = async (body: object) => expectStatus(200, await account.call('PATCH', path, body));
  return { account, endpoint, path, change };
}

const MISMATCH = {
  state: 'failed',
  provider: 'github',
  secret: null,
  reason: 'signature_mismatch',
};

test('a rejected request is listed and shown whole, and is no event', async () => {
  const { account, endpoint, path } = await made();
  const first = await rejectedRequest(account, endpoint);
  const second = await rejectedRequest(account, endpoint);
  const list = expectStatus(200, await account.call('GET', `${path}/rejected?limit=1`));
  expect(list).toMatchObject({ page: 1, limit: 1, total: 2 });
  expect(list.data).toEqual([
    {
      id: second,
      method: 'POST',
      received_at: expect.stringMatching(/Z$/),
      path: '',
      content_type: 'application/json',
      size: 7,
      provider: null,
      event_type: null,
      source_ip: '127.0.0.1',
      verification: MISMATCH,
    },
  ]);
  const older = expectStatus(200, await account.call('GET', `${path}/rejected?limit=1&page=2`));
  expect(older.data[0].id).toBe(first);
  const whole = expectStatus(200, await account.call('GET', `${path}/rejected/${first}`));
  expect(whole).toMatchObject({ id: first, body: { a: 1 }, body_encoding: 'json', query: '' });
  expect(whole.headers['x-hub-signature-256']).toMatch(/^sha256=/);
  expect((await account.list(endpoint)).total).toBe(0);
});

test('an accepted request becomes an event, once; one that still fails stays', async () => {
  const { account, endpoint, path, change } = await made();
  const id = await rejectedRequest(account, endpoint);
  const accept = () => account.call('POST', `${path}/rejected/${id}/accept`);
  expect(expectStatus(409, await accept()).error.code).toBe('not_verified');
  await change({ source: { secrets: ['another', SENT_SECRET] } });
  const event = expectStatus(201, await accept());
  expect(event).toMatchObject({
    body: { a: 1 },
    verification: { state: 'verified', provider: 'github', secret: 2, reason: null },
  });
  expect((await account.list(endpoint)).data.map((one) => one.id)).toEqual([event.id]);
  expect(expectStatus(404, await accept()).error.code).toBe('rejected_not_found');
  expect(expectStatus(200, await account.call('GET', `${path}/rejected`)).total).toBe(0);
});

test('after its source is removed, an endpoint accepts a request unverified, and never signs it', async () => {
  const { account, endpoint, path, change } = await made();
  const id = await rejectedRequest(account, endpoint);
  await change({ source: null });
  const event = expectStatus(201, await account.call('POST', `${path}/rejected/${id}/accept`));
  const unverified = { state: 'unverified', provider: null, secret: null, reason: null };
  expect(event.verification).toEqual(unverified);
  await change({ source: { provider: 'github', secrets: ['another'] } });
  const signed = await account.call('POST', `/api/events/${event.id}/signed-headers`, {});
  expect(expectStatus(409, signed).error.code).toBe('not_verified');
});

test('a paused endpoint accepts nothing', async () => {
  const { account, endpoint, path, change } = await made();
  const id = await rejectedRequest(account, endpoint);
  await change({ source: { secrets: [SENT_SECRET] }, is_active: false });
  const refused = await account.call('POST', `${path}/rejected/${id}/accept`);
  expect(expectStatus(409, refused).error).toMatchObject({
    code: 'endpoint_paused',
    hint: `hookrelay endpoints resume ${endpoint.id}`,
  });
});

test('another endpoint has not the rejected request', async () => {
  const { account, endpoint } = await made();
  const id = await rejectedRequest(account, endpoint);
  const other = await account.createEndpoint();
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', '/accept'],
  ] as const) {
    const path = `/api/endpoints/${other.id}/rejected/${id}${rest}`;
    const answer = expectStatus(404, await account.call(method, path));
    expect(answer.error.code).toBe('rejected_not_found');
  }
});

test('verified, failed and duplicate events are told apart in views, lists and counts', async () => {
  const { account, endpoint, path, change } = await made();
  const by = ['body.id'];
  await change({ source: { provider: 'github', secrets: [SENT_SECRET] }, dedupe: { by } });
  const send = (body: string) =>
    capture(endpoint.capture_url, body, { headers: signedHeaders(body) });
  const first = await send('{"id":1}');
  const same = await send('{"id":1}');
  const other = await send('{"id":1,"b":2}');
  const forged = await capture(endpoint.capture_url, '{"id":1}', {
    headers: signedHeaders('{"id":2}'),
  });
  const verified = { state: 'verified', provider: 'github', secret: 1, reason: null };
  const wanted = [
    [forged, MISMATCH, null, null],
    [other, verified, first, true],
    [same, verified, first, false],
    [first, verified, null, null],
  ] as const;
  const { data } = await account.list(endpoint, '?view=summary');
  expect(data).toMatchObject(
    wanted.map(([id, verification, duplicate_of, duplicate_conflict]) => ({
      ...{ id, verification, duplicate_of, duplicate_conflict },
    })),
  );
  expect(await account.event(endpoint, other)).toMatchObject({
    verification: verified,
    duplicate_of: first,
    duplicate_conflict: true,
  });
  const idsOf = async (query: string) =>
    (await account.list(endpoint, query)).data.map(({ id }) => id);
  expect(await idsOf('?duplicates=only')).toEqual([other, same]);
  expect(await idsOf('?duplicates=hide')).toEqual([forged, first]);
  expect(await idsOf('?verification=failed')).toEqual([forged]);
  expect(await idsOf('?verification=verified&duplicates=hide')).toEqual([first]);
  expect(await idsOf('?verification=unverified')).toEqual([]);
  const count = { verification: 'verified', duplicates: 'only', dry_run: true };
  const counted = await account.call('POST', `${path}/replay`, count);
  expect(expectStatus(200, counted)).toEqual({ matching: 2 });
});

test('the refusal of a forged request reveals nothing of the secret', async () => {
  const { account, endpoint } = await made();
  await rejectedRequest(account, endpoint);
  const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
  const { text } = await callApi({ url: endpoint.capture_url }, 'POST', '', '{"a":1}', { headers });
  expect(text).not.toMatch(/[0-9a-f]{32}/);
  expect(text).toContain('signature_invalid');
});
