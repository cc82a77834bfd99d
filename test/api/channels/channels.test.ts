import { describe, expect, test } from 'vitest';
import { type Account, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';

/* The routes of channels. What becomes of their messages is tested where they are sent. */

failOnLeaks();
const server = serverOfFile();

const HEALTHY = { state: 'healthy', since: null, consecutive_failures: 0, next_probe_at: null };
const HOOK = 'http://127.0.0.1:1/hooks';

const add = (account: Account, body: object) => account.call('POST', '/api/channels', body);
const added = async (account: Account, body: object) => expectStatus(201, await add(account, body));
const channels = async (account: Account) =>
  expectStatus(200, await account.call('GET', '/api/channels'));
const newestEntry = async (account: Account) =>
  expectStatus(200, await account.call('GET', '/api/audit?limit=1')).data[0];

test('a webhook channel shows its secret once', async () => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const made = await added(account, {
    ...{ type: 'webhook', url: HOOK, kinds: ['delivery', 'silence'] },
    endpoint_ids: [endpoint.id],
  });
  server.secrets.push(made.secret);
  expect(made).toEqual({
    id: expect.stringMatching(/^chn_/),
    type: 'webhook',
    url: HOOK,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    kinds: ['delivery', 'silence'],
    endpoint_ids: [endpoint.id],
    confirmed: true,
    created_at: expect.stringMatching(/Z$/),
    last_delivery: null,
    health: HEALTHY,
  });
  const masked = { ...made, secret: `********${made.secret.slice(-4)}` };
  expect(await channels(account)).toEqual([masked]);
  const path = `/api/channels/${made.id}`;
  expect(expectStatus(200, await account.call('GET', path))).toEqual(masked);
  const given = await added(account, { type: 'webhook', url: HOOK, secret: 'a chosen secret' });
  expect(given.secret).toBe('a chosen secret');
});

test('the URL of a Slack channel is a secret: answers and the audit have its host alone', async () => {
  const account = await register(server);
  const url = 'http://127.0.0.1:1/services/T0/B0/secret-of-slack';
  const masked = 'http://127.0.0.1:1/********';
  const made = await added(account, { type: 'slack', url });
  expect(made).toMatchObject({ type: 'slack', url: masked, kinds: null, endpoint_ids: null });
  expect(made).not.toHaveProperty('secret');
  const target = { type: 'channel', id: made.id, name: 'slack 127.0.0.1:1' };
  const created = await newestEntry(account);
  expect(created).toMatchObject({ action: 'channel.create', target });
  expect(created.changes.url).toEqual([null, masked]);
  const path = `/api/channels/${made.id}`;
  expect((await channels(account))[0].url).toBe(masked);
  const back = expectStatus(400, await account.call('PATCH', path, { url: masked }));
  expect(back.error.issues).toEqual([{ path: 'url', message: expect.stringMatching(/masked/) }]);
  const changed = await account.call('PATCH', path, { url: `${url}-2` });
  expect(expectStatus(200, changed).url).toBe(masked);
  const updated = await newestEntry(account);
  expect(updated).toMatchObject({ action: 'channel.update', target });
  expect(updated.changes).toEqual({ url: [masked, masked] });
});

test.each([
  [{ type: 'webhook' }, 'url'],
  [{ type: 'webhook', url: 'not a url' }, 'url'],
  [{ type: 'webhook', url: 'ftp://example.com/' }, 'url'],
  [{ type: 'webhook', url: HOOK, to: 'ada@example.com' }, 'to'],
  [{ type: 'webhook', url: HOOK, secret: '********abcd' }, 'secret'],
  [{ type: 'webhook', url: HOOK, kinds: [] }, 'kinds'],
  [{ type: 'webhook', url: HOOK, kinds: ['outage'] }, 'kinds.0'],
  [{ type: 'webhook', url: HOOK, kinds: ['delivery', 'delivery'] }, 'kinds'],
  [{ type: 'webhook', url: HOOK, endpoint_ids: ['x'] }, 'endpoint_ids.0'],
  [{ type: 'webhook', url: HOOK, endpoint_ids: [`ep_${'0'.repeat(26)}`] }, 'endpoint_ids.0'],
  [{ type: 'webhook', url: HOOK, every: '1h' }, 'every'],
  [{ type: 'slack', url: HOOK, secret: 'x' }, 'secret'],
  [{ type: 'email', url: HOOK }, 'to'],
  [{ type: 'email', to: 'nobody' }, 'to'],
  [{ type: 'email', to: 'a@example.com\r\nbcc: b@example.com' }, 'to'],
  [{ type: 'pager', url: HOOK }, 'type'],
  [{}, 'type'],
])('%j is refused with an issue of %s', async (body, path) => {
  const account = await register(server);
  const answer = await add(account, body);
  expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_input']);
  expect(answer.json.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  expect(await channels(account)).toEqual([]);
});

test('a channel changes by what the patch names', async () => {
  const account = await register(server);
  const made = await added(account, { type: 'webhook', url: HOOK, kinds: ['delivery'] });
  server.secrets.push(made.secret);
  const path = `/api/channels/${made.id}`;
  const change = async (body: object) => expectStatus(200, await account.call('PATCH', path, body));
  const url = 'http://127.0.0.1:2/other';
  expect(await change({ url })).toMatchObject({ url, kinds: ['delivery'], confirmed: true });
  expect(await newestEntry(account)).toMatchObject({
    action: 'channel.update',
    changes: { url: [HOOK, url] },
  });
  expect((await change({ kinds: null })).kinds).toBeNull();
  expect((await change({ secret: 'another secret' })).secret).toBe('********cret');
  const { secret } = await change({ secret: null });
  server.secrets.push(secret);
  expect(secret).toMatch(/^whsec_/);
  expect((await change({})).secret).toBe(`********${secret.slice(-4)}`);
  for (const body of [{ to: 'ada@example.com' }, { secret: '********cret' }, { type: 'slack' }]) {
    expect((await account.call('PATCH', path, body)).status).toBe(400);
  }
});

test('a removed channel is gone, and another account never sees one', async () => {
  const account = await register(server);
  const stranger = await register(server);
  const { id } = await added(account, { type: 'slack', url: HOOK });
  const path = `/api/channels/${id}`;
  const calls = (who: Account) => [
    who.call('GET', path),
    who.call('PATCH', path, {}),
    who.call('POST', `${path}/test`),
    who.call('DELETE', path),
  ];
  const refusals = async (who: Account) =>
    (await Promise.all(calls(who))).map(({ status, json }) => [status, json.error.code]);
  const unknown = Array(4).fill([404, 'channel_not_found']);
  expect(await refusals(stranger)).toEqual(unknown);
  expect(await channels(stranger)).toEqual([]);
  expectStatus(204, await account.call('DELETE', path));
  expect(await refusals(account)).toEqual(unknown);
  expect(await newestEntry(account)).toMatchObject({
    action: 'channel.delete',
    target: { type: 'channel', id },
  });
});

test('an account has at most 20 channels', async () => {
  const account = await register(server);
  for (let i = 0; i < 20; i++) await added(account, { type: 'slack', url: HOOK });
  const answer = await add(account, { type: 'slack', url: HOOK });
  expect([answer.status, answer.json.error.code]).toEqual([409, 'limit_reached']);
});

test('an account tests its channels five times an hour', async () => {
  const account = await register(server);
  const { id } = await added(account, { type: 'slack', url: HOOK });
  const path = `/api/channels/${id}/test`;
  for (let i = 0; i < 5; i++) {
    const { message_id } = expectStatus(202, await account.call('POST', path));
    expect(message_id).toMatch(/^msg_/);
  }
  expect(await newestEntry(account)).toMatchObject({ action: 'channel.test', changes: null });
  const answer = await account.call('POST', path);
  expect([answer.status, answer.json.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3000);
  // Another account has its own allowance.
  const other = await register(server);
  const its = await added(other, { type: 'slack', url: HOOK });
  expectStatus(202, await other.call('POST', `/api/channels/${its.id}/test`));
});

test('channels add nothing to what an account sees of its endpoints', async () => {
  const account = await register(server);
  await added(account, { type: 'slack', url: HOOK });
  expect(expectStatus(200, await account.call('GET', '/api/endpoints'))).toEqual([]);
  expect(expectStatus(200, await account.call('GET', '/api/events')).total).toBe(0);
});

describe('without a mail server', () => {
  test('no email channel can be made', async () => {
    const account = await register(server);
    const answer = await add(account, { type: 'email', to: 'ada@example.com' });
    expect([answer.status, answer.json.error.code]).toEqual([409, 'smtp_not_configured']);
    expect(answer.json.error.hint).toContain('--smtp-url');
  });
});
