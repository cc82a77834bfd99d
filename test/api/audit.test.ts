import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntryAnswer } from '../../src/api/accounts/audit-entry-answer.ts';
import type { Page } from '../../src/api/list-page-answer.ts';
import { type Account, callApi, capture, expectStatus, register } from '../fixtures/account.ts';
import { makeToken } from '../fixtures/api-tokens.ts';
import { rejectedRequest, SENT_SECRET } from '../fixtures/rejected-request.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { storedIssue } from '../fixtures/stored-issue.ts';
import { until } from '../fixtures/until.ts';

/* Every operation that isn't a GET adds an entry to the audit, or is named here. */

const server = serverOfFile({ defaultPlan: 'pro', ai: 'builtin' });
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Operations without an entry, and why. */
const UNAUDITED: Record<string, string> = {
  'POST /api/auth/refresh': 'it continues a session',
  'POST /api/endpoints/{id}/events/{eventId}/ai/handler': 'it only reads',
  'POST /api/endpoints/{id}/rules/try': 'it only reads',
  'POST /api/endpoints/{id}/source/check': 'it only reads',
  'POST /api/events/{eventId}/signed-headers': 'it changes nothing',
};

interface Made {
  account: Account;
  endpoint: { id: string; capture_url: string };
}

async function made(): Promise<Made> {
  const account = await register(server);
  return { account, endpoint: await account.createEndpoint() };
}

/** A delivery that waits an hour for its second attempt. */
async function heldDelivery({ account, endpoint }: Made) {
  const list = `/api/endpoints/${endpoint.id}/destinations`;
  const retry = { schedule: ['1h'] };
  const input = { url: 'http://127.0.0.1:1/', retry };
  const { id, url } = expectStatus(201, await account.call('POST', list, input));
  const eventId = await capture(endpoint.capture_url);
  const attempt = await until('an attempt is on record', async () => {
    return (await account.attempts(endpoint, eventId))[0];
  });
  return { id, url, deliveryId: attempt.delivery_id };
}

const CHANNEL = { type: 'webhook', url: 'http://127.0.0.1:1/', secret: SECRET };

const channelOf = async (account: Account): Promise<string> =>
  expectStatus(201, await account.call('POST', '/api/channels', CHANNEL)).id;

const audit = async (account: Account, query = ''): Promise<Page<AuditEntryAnswer>> =>
  expectStatus(200, await account.call('GET', `/api/audit${query}`));
const newest = async (account: Account) => (await audit(account)).data[0] as AuditEntryAnswer;

const login = ({ email, password }: Account) =>
  callApi(server, 'POST', '/api/auth/login', { email, password });

/** A success of each operation, and what its entry says. */
const ACTS: Record<
  string,
  (made: Made) => Promise<Pick<AuditEntryAnswer, 'action'> & Record<string, unknown>>
> = {
  async 'POST /api/auth/register'({ account }) {
    const { data } = await audit(account, '?page=2&limit=1');
    expect(data).toMatchObject([{ action: 'auth.register' }]);
    await login(account);
    return { action: 'auth.login', target: { type: 'account', id: account.id } };
  },
  async 'POST /api/auth/login'({ account }) {
    expectStatus(200, await login(account));
    return { action: 'auth.login', target: { type: 'account', id: account.id } };
  },
  async 'POST /api/auth/logout'({ account }) {
    const { refreshToken } = (await login(account)).json;
    await callApi(server, 'POST', '/api/auth/logout', { refreshToken });
    return { action: 'auth.logout' };
  },
  async 'POST /api/auth/password'({ account }) {
    const body = { current: account.password, new: 'another password' };
    expectStatus(204, await account.call('POST', '/api/auth/password', body));
    return { action: 'auth.password', target: { type: 'account' }, changes: null };
  },
  async 'DELETE /api/sessions/{sessionId}'({ account }) {
    await login(account);
    const sessions = expectStatus(200, await account.call('GET', '/api/sessions'));
    const { id } = sessions.find(({ current }: { current: boolean }) => !current);
    expectStatus(204, await account.call('DELETE', `/api/sessions/${id}`));
    return { action: 'session.delete', target: { type: 'session', id, name: null } };
  },
  async 'POST /api/tokens'({ account, endpoint }) {
    const rights = { scopes: ['read'], endpoint_ids: [endpoint.id] };
    const { id } = await makeToken(server, account, rights);
    return {
      action: 'token.create',
      target: { type: 'token', id, name: 'ci' },
      changes: { scopes: [null, ['read']], endpoint_ids: [null, [endpoint.id]] },
    };
  },
  async 'DELETE /api/tokens/{tokenId}'({ account }) {
    const { id } = await makeToken(server, account);
    expectStatus(204, await account.call('DELETE', `/api/tokens/${id}`));
    return { action: 'token.delete', target: { type: 'token', id, name: 'ci' }, changes: null };
  },
  async 'POST /api/endpoints'({ account }) {
    const { id } = await account.createEndpoint({ name: 'orders' });
    return {
      action: 'endpoint.create',
      target: { type: 'endpoint', id, name: 'orders' },
      changes: { name: [null, 'orders'], is_active: [null, true] },
    };
  },
  async 'PATCH /api/endpoints/{id}'({ account, endpoint: { id } }) {
    const body = { name: 'renamed', response: { status: 200, body: 'x'.repeat(2000) } };
    expectStatus(200, await account.call('PATCH', `/api/endpoints/${id}`, body));
    return {
      action: 'endpoint.update',
      target: { type: 'endpoint', id, name: 'renamed' },
      changes: {
        name: ['hooks', 'renamed'],
        response: [null, expect.stringMatching(/^\{"status":200.{480,500}…$/)],
      },
    };
  },
  async 'DELETE /api/endpoints/{id}'({ account, endpoint: { id } }) {
    expectStatus(204, await account.call('DELETE', `/api/endpoints/${id}`));
    return { action: 'endpoint.delete', target: { type: 'endpoint', id, name: 'hooks' } };
  },
  async 'POST /api/endpoints/{id}/destinations'({ account, endpoint }) {
    const { id } = await account.addDestination(endpoint, 'http://127.0.0.1:1/a', SECRET);
    return {
      action: 'destination.create',
      target: { type: 'destination', id, name: 'http://127.0.0.1:1/a' },
      changes: { url: [null, 'http://127.0.0.1:1/a'], secret: [null, '********LaSw'] },
    };
  },
  async 'PATCH /api/endpoints/{id}/destinations/{destinationId}'({ account, endpoint }) {
    const { id } = await account.addDestination(endpoint, 'http://127.0.0.1:1/', SECRET);
    const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
    const headers = { authorization: SECRET };
    const body = { name: 'billing', secret: 'short', headers, state: 'paused', timeout: '5s' };
    expectStatus(200, await account.call('PATCH', path, body));
    return {
      action: 'destination.update',
      target: { type: 'destination', id, name: 'billing' },
      changes: {
        name: [null, 'billing'],
        secret: ['********LaSw', '********'],
        headers: [null, { authorization: '********LaSw' }],
        state: ['active', 'paused'],
        timeout: [null, '5s'],
      },
    };
  },
  async 'POST /api/endpoints/{id}/destinations/{destinationId}/rules/{version}'({
    account,
    endpoint,
  }) {
    const { id, url } = await account.addDestination(endpoint, 'http://127.0.0.1:1/');
    const path = `/api/endpoints/${endpoint.id}/destinations/${id}`;
    for (const filter of ['method=PUT', 'method=POST']) {
      expectStatus(200, await account.call('PATCH', path, { filter }));
    }
    expectStatus(200, await account.call('POST', `${path}/rules/1`));
    return {
      action: 'destination.update',
      target: { type: 'destination', id, name: url },
      changes: { filter: ['method=POST', 'method=PUT'] },
    };
  },
  async 'POST /api/endpoints/{id}/destinations/{destinationId}/probe'({ account, endpoint }) {
    const { id, url } = await account.addDestination(endpoint, 'http://127.0.0.1:1/');
    const path = `/api/endpoints/${endpoint.id}/destinations/${id}/probe`;
    expectStatus(202, await account.call('POST', path));
    return {
      action: 'destination.probe',
      target: { type: 'destination', id, name: url },
      changes: null,
    };
  },
  async 'POST /api/endpoints/{id}/destinations/{destinationId}/discard'({ account, endpoint }) {
    const { id, url } = await heldDelivery({ account, endpoint });
    const path = `/api/endpoints/${endpoint.id}/destinations/${id}/discard`;
    expect(expectStatus(200, await account.call('POST', path))).toEqual({ cancelled: 1 });
    return {
      action: 'destination.discard',
      target: { type: 'destination', id, name: url },
      changes: { cancelled: [null, 1] },
    };
  },
  async 'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret'({
    account,
    endpoint,
  }) {
    const { id, url } = await account.addDestination(endpoint, 'http://127.0.0.1:1/', 'first one');
    const path = `/api/endpoints/${endpoint.id}/destinations/${id}/rotate-secret`;
    expectStatus(200, await account.call('POST', path, { secret: SECRET }));
    return {
      action: 'destination.rotate_secret',
      target: { type: 'destination', id, name: url },
      changes: {
        secret: ['******** one', '********LaSw'],
        previous_expires_at: [null, expect.stringMatching(/Z$/)],
      },
    };
  },
  async 'POST /api/deliveries/{deliveryId}/retry'({ account, endpoint }) {
    const { deliveryId: id } = await heldDelivery({ account, endpoint });
    expectStatus(202, await account.call('POST', `/api/deliveries/${id}/retry`));
    return { action: 'delivery.retry', target: { type: 'delivery', id, name: null } };
  },
  async 'POST /api/deliveries/{deliveryId}/cancel'({ account, endpoint }) {
    const { deliveryId: id } = await heldDelivery({ account, endpoint });
    expectStatus(204, await account.call('POST', `/api/deliveries/${id}/cancel`));
    return { action: 'delivery.cancel', target: { type: 'delivery', id, name: null } };
  },
  async 'DELETE /api/endpoints/{id}/destinations/{destinationId}'({ account, endpoint }) {
    const { id, url } = await account.addDestination(endpoint, 'http://127.0.0.1:1/');
    const path = `/api/endpoints/${endpoint.id}/destinations/${id}?pending=cancel`;
    expectStatus(204, await account.call('DELETE', path));
    return { action: 'destination.delete', target: { type: 'destination', id, name: url } };
  },
  async 'POST /api/endpoints/{id}/test-events'({ account, endpoint: { id } }) {
    const path = `/api/endpoints/${id}/test-events`;
    const sample = 'stripe.invoice.paid';
    const { event_id } = expectStatus(201, await account.call('POST', path, { sample }));
    return { action: 'event.test', target: { type: 'event', id: event_id, name: sample } };
  },
  async 'POST /api/endpoints/{id}/events/{eventId}/replay'({ account, endpoint }) {
    const id = await capture(endpoint.capture_url);
    const path = `/api/endpoints/${endpoint.id}/events/${id}/replay`;
    expectStatus(202, await account.call('POST', path));
    return { action: 'event.replay', target: { type: 'event', id, name: null } };
  },
  async 'POST /api/endpoints/{id}/events/{eventId}/edit'({ account, endpoint }) {
    const id = await capture(endpoint.capture_url);
    const path = `/api/endpoints/${endpoint.id}/events/${id}/edit`;
    const copy = expectStatus(201, await account.call('POST', path, { body: { a: 1 } }));
    return {
      action: 'event.edit',
      target: { type: 'event', id: copy.id, name: null },
      changes: { edited_from: [null, id] },
    };
  },
  async 'POST /api/endpoints/{id}/rejected/{rejectedId}/accept'({ account, endpoint }) {
    const id = await rejectedRequest(account, endpoint);
    const source = { secrets: [SENT_SECRET] };
    expectStatus(200, await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { source }));
    const path = `/api/endpoints/${endpoint.id}/rejected/${id}/accept`;
    const event = expectStatus(201, await account.call('POST', path));
    return {
      action: 'event.accept',
      target: { type: 'event', id: event.id, name: null },
      changes: { accepted: [null, id] },
    };
  },
  async 'DELETE /api/endpoints/{id}/events/{eventId}'({ account, endpoint }) {
    const id = await capture(endpoint.capture_url);
    const path = `/api/endpoints/${endpoint.id}/events/${id}`;
    expectStatus(204, await account.call('DELETE', path));
    return { action: 'event.delete', target: { type: 'event', id, name: null }, changes: null };
  },
  async 'DELETE /api/endpoints/{id}/replays/{jobId}'({ account, endpoint }) {
    const { id: destinationId } = await heldDelivery({ account, endpoint });
    const destination = `/api/endpoints/${endpoint.id}/destinations/${destinationId}`;
    expectStatus(200, await account.call('PATCH', destination, { state: 'paused' }));
    const path = `/api/endpoints/${endpoint.id}/replay`;
    const { job_id: id } = expectStatus(202, await account.call('POST', path, {}));
    const job = `/api/endpoints/${endpoint.id}/replays/${id}`;
    expectStatus(204, await account.call('DELETE', job));
    const { total } = await audit(account);
    expectStatus(204, await account.call('DELETE', job));
    expect((await audit(account)).total).toBe(total);
    return { action: 'replay.cancel', target: { type: 'replay', id, name: null }, changes: null };
  },
  async 'PATCH /api/issues/{issueId}'({ account, endpoint }) {
    const id = storedIssue(server, endpoint.id);
    const body = { state: 'acknowledged' };
    const { title } = expectStatus(200, await account.call('PATCH', `/api/issues/${id}`, body));
    return {
      action: 'issue.update',
      target: { type: 'issue', id, name: title },
      changes: { state: ['open', 'acknowledged'] },
    };
  },
  async 'POST /api/channels'({ account }) {
    const id = await channelOf(account);
    return {
      action: 'channel.create',
      target: { type: 'channel', id, name: 'webhook 127.0.0.1:1' },
      changes: { type: [null, 'webhook'], url: [null, CHANNEL.url] },
    };
  },
  async 'PATCH /api/channels/{channelId}'({ account }) {
    const id = await channelOf(account);
    const body = { kinds: ['silence'], secret: SECRET };
    expectStatus(200, await account.call('PATCH', `/api/channels/${id}`, body));
    return {
      action: 'channel.update',
      target: { type: 'channel', id, name: 'webhook 127.0.0.1:1' },
      changes: { kinds: [null, ['silence']], secret: ['********', '********'] },
    };
  },
  async 'POST /api/channels/{channelId}/test'({ account }) {
    const id = await channelOf(account);
    expectStatus(202, await account.call('POST', `/api/channels/${id}/test`));
    return { action: 'channel.test', target: { type: 'channel', id }, changes: null };
  },
  async 'DELETE /api/channels/{channelId}'({ account }) {
    const id = await channelOf(account);
    expectStatus(204, await account.call('DELETE', `/api/channels/${id}`));
    return { action: 'channel.delete', target: { type: 'channel', id }, changes: null };
  },
  async 'POST /api/endpoints/{id}/replay'({ account, endpoint }) {
    for (let i = 0; i < 3; i++) await capture(endpoint.capture_url);
    const path = `/api/endpoints/${endpoint.id}/replay`;
    expectStatus(202, await account.call('POST', path, { method: 'POST' }));
    const { total } = await audit(account);
    expectStatus(200, await account.call('POST', path, { dry_run: true }));
    expect((await audit(account)).total).toBe(total);
    return {
      action: 'endpoint.replay',
      target: { type: 'endpoint', id: endpoint.id, name: 'hooks' },
      changes: {
        method: [null, 'POST'],
        queued: [null, 3],
        job_id: [null, expect.stringMatching(/^job_/)],
      },
    };
  },
};

let operations: string[];

beforeAll(async () => {
  const { paths } = expectStatus(200, await callApi(server, 'GET', '/api/openapi.json'));
  operations = Object.entries<object>(paths)
    .filter(([path]) => !path.startsWith('/in/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    .filter((operation) => !operation.startsWith('GET '));
});

test('every operation that changes something is here', () => {
  expect(operations.sort()).toEqual([...Object.keys(ACTS), ...Object.keys(UNAUDITED)].sort());
});

test.each(Object.entries(ACTS))('%s is in the audit', async (_, act) => {
  const belongings = await made();
  const wanted = await act(belongings);
  const entry = await newest(belongings.account);
  expect(entry).toMatchObject(wanted);
  expect(entry).toEqual({
    id: expect.stringMatching(/^aud_/),
    at: expect.stringMatching(/Z$/),
    actor: {
      ...{ type: 'session', id: expect.stringMatching(/^ses_/) },
      ...{ name: belongings.account.email, address: '127.0.0.1' },
    },
    action: wanted.action,
    target: { type: expect.any(String), id: expect.any(String), name: entry.target.name },
    changes: entry.changes,
  });
  const all = JSON.stringify(await audit(belongings.account, '?limit=200'));
  for (const secret of [SECRET, belongings.account.password, belongings.account.refreshToken]) {
    expect(all).not.toContain(secret);
  }
});

describe('the audit', () => {
  test('names the token that made a change', async () => {
    const { account, endpoint } = await made();
    const { id, authorization } = await makeToken(server, account);
    const headers = { authorization };
    const path = `/api/endpoints/${endpoint.id}`;
    await callApi(server, 'PATCH', path, { is_active: false }, { headers });
    expect(await newest(account)).toMatchObject({
      actor: { type: 'token', id, name: 'ci', address: '127.0.0.1' },
      changes: { is_active: [true, false] },
    });
  });

  test('has no entry for what was refused or changed nothing', async () => {
    const { account, endpoint } = await made();
    const before = (await audit(account)).total;
    const path = `/api/endpoints/${endpoint.id}`;
    for (const [method, at, body] of [
      ['PATCH', path, { name: '' }],
      ['DELETE', `${path}/destinations/dst_none`, undefined],
      ['POST', `${path}/destinations`, { url: 'ftp://x' }],
      ['POST', '/api/auth/logout', { refreshToken: 'nonsense' }],
    ] as const) {
      await account.call(method, at, body);
    }
    expect((await audit(account)).total).toBe(before);
  });

  test('comes in pages, and belongs to one account', async () => {
    const { account } = await made();
    const { account: stranger } = await made();
    for (const name of ['a', 'b', 'c']) await account.createEndpoint({ name });
    const names = ({ data }: Page<AuditEntryAnswer>) => data.map(({ target }) => target.name);
    const first = await audit(account, '?limit=2');
    expect(first).toMatchObject({ page: 1, limit: 2, total: 5 });
    expect(names(first)).toEqual(['c', 'b']);
    expect(names(await audit(account, '?limit=2&page=2'))).toEqual(['a', 'hooks']);
    expect((await audit(stranger)).total).toBe(2);
    for (const query of ['?limit=0', '?limit=201', '?page=x']) {
      const { status, json } = await account.call('GET', `/api/audit${query}`);
      expect([status, json.error.issues]).toEqual([400, [expect.anything()]]);
    }
  });

  test('has one entry a minute for wrong passwords', async () => {
    const { account } = await made();
    for (let i = 0; i < 3; i++) {
      const guess = { email: account.email, password: `guess ${i}` };
      expectStatus(401, await callApi(server, 'POST', '/api/auth/login', guess));
    }
    const failed = async () =>
      (await audit(account)).data.filter(({ action }) => action === 'auth.login_failed');
    await until('a failed login is there', async () => (await failed()).length > 0);
    await login(account);
    expect(await failed()).toMatchObject([
      {
        actor: { type: 'session', id: null, name: account.email, address: '127.0.0.1' },
        target: { type: 'account', id: account.id },
      },
    ]);
  });
});
