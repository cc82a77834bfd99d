import { describe, expect, test } from 'vitest';
import { type Account, callApi, capture, expectStatus, register } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, ok, type Respond, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/* Pause, breaker, discard and rotation, as callers of the API see them. */

failOnLeaks();
const server = serverOfFile({ breakerFailures: 3, breakerAfter: 0, breakerProbe: 300_000 });

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

async function setup(input: object = {}, respond: Respond = ok) {
  const receiver = await httpReceiver(respond);
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const list = `/api/endpoints/${endpoint.id}/destinations`;
  const added = await account.call('POST', list, { url: receiver.url, ...input });
  const { id } = expectStatus(201, added);
  const path = `${list}/${id}`;
  return {
    account,
    endpoint,
    receiver,
    id,
    path,
    get: async () => expectStatus(200, await account.call('GET', path)),
    patch: async (body: object) => expectStatus(200, await account.call('PATCH', path, body)),
    act: (action: string, body?: object) => account.call('POST', `${path}/${action}`, body),
    capture: () => capture(endpoint.capture_url, '{"a": 1}'),
  };
}

const statusOf = async (account: Account, endpoint: { id: string }, eventId: string) =>
  (await account.event(endpoint, eventId)).status;

describe('a paused destination', () => {
  test('holds its deliveries back, and gets them when it is resumed', async () => {
    const { receiver, account, endpoint, get, patch, capture } = await setup({ state: 'paused' });
    const events = [await capture(), await capture(), await capture()];
    const paused = await get();
    expect(paused.waiting).toEqual({
      count: 3,
      at_least: false,
      oldest_at: (await account.event(endpoint, events[0] as string)).received_at,
    });
    expect(paused.health.state).toBe('healthy');
    const [delivery] = (await account.event(endpoint, events[0] as string)).deliveries;
    expect(delivery).toMatchObject({
      state: 'pending',
      waits_for: 'paused',
      next_attempt_at: null,
    });
    expect(receiver.requests).toEqual([]);
    await patch({ state: 'active' });
    await receiver.received(3);
    await until('nothing waits', async () => (await get()).waiting.count === 0);
    for (const event of events) expect(await statusOf(account, endpoint, event)).toBe('delivered');
  });

  test('that is disabled gets no new events, and keeps the others', async () => {
    const { receiver, account, endpoint, get, patch, capture } = await setup({ state: 'paused' });
    const before = await capture();
    await patch({ state: 'disabled' });
    const meanwhile = await capture();
    expect(await account.event(endpoint, meanwhile)).toMatchObject({
      status: 'received',
      deliveries: [],
    });
    expect((await get()).waiting.count).toBe(1);
    await patch({ state: 'active' });
    await receiver.received(1);
    await until('it is delivered', async () => {
      return (await statusOf(account, endpoint, before)) === 'delivered';
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test('isn’t probed', async () => {
    const { act } = await setup({ state: 'paused' });
    const { status, json } = await act('probe');
    expect([status, json.error.code]).toEqual([409, 'destination_paused']);
    expect(json.error.hint).toMatch(/^hookrelay destinations resume ep_\w+ dst_\w+$/);
  });
});

describe('an open breaker', () => {
  /** A destination whose breaker three events have opened. */
  async function opened() {
    const made = await setup({}, status(500));
    for (let i = 0; i < 3; i++) await made.capture();
    await until('the breaker is open', async () => (await made.get()).health.state === 'open');
    return made;
  }

  test('is shown with what waits behind it', async () => {
    const { get } = await opened();
    const { health, waiting } = await get();
    expect(health).toMatchObject({ state: 'open', since: expect.stringMatching(/Z$/) });
    expect(health.consecutive_failures).toBeGreaterThanOrEqual(3);
    expect(Date.parse(health.next_probe_at)).toBeGreaterThan(Date.parse(health.since));
    expect(waiting.count).toBe(3);
  });

  test('is closed by a probe that is asked for', async () => {
    const { get, act, receiver } = await opened();
    const answers: (() => void)[] = [];
    receiver.respond = (request, res) => void answers.push(() => ok(request, res));
    const { status: code, json } = await act('probe');
    expect([code, json.health.state]).toEqual([202, 'open']);
    await until('the probe waits for its answer', () => answers.length > 0);
    receiver.respond = ok;
    for (const answer of answers) answer();
    await until('everything went out', async () => (await get()).waiting.count === 0);
    expect((await get()).health).toMatchObject({ state: 'healthy', consecutive_failures: 0 });
  });

  test('is shown at the attempts of a failed probe', async () => {
    const { act, account, endpoint } = await opened();
    expectStatus(202, await act('probe'));
    const events = (await account.list(endpoint)).data;
    const probe = await until('the probe is on record', async () => {
      const attempts = await Promise.all(events.map(({ id }) => account.attempts(endpoint, id)));
      return attempts.flat().find((attempt) => attempt.probe);
    });
    expect(probe).toMatchObject({ response_code: 500, rule_version: 0 });
  });

  test('doesn’t hold a change back that may help', async () => {
    const { patch, get } = await opened();
    const working = await httpReceiver();
    await patch({ url: working.url });
    await working.received(3);
    await until('it is healthy', async () => (await get()).health.state === 'healthy');
  });
});

describe('discard', () => {
  test('cancels everything that waits', async () => {
    const { act, capture, get, account, endpoint } = await setup({ state: 'paused' });
    const events = [await capture(), await capture()];
    expect(expectStatus(200, await act('discard'))).toEqual({ cancelled: 2 });
    expect((await get()).waiting).toEqual({ count: 0, at_least: false, oldest_at: null });
    for (const event of events) {
      expect((await account.event(endpoint, event)).deliveries).toMatchObject([
        { state: 'cancelled', waits_for: null },
      ]);
    }
    expect(expectStatus(200, await act('discard'))).toEqual({ cancelled: 0 });
  });
});

describe('the rotation of a secret', () => {
  const signatures = (header: unknown) => String(header).split(' ').length;

  test('makes a secret, shows it once, and lets the old one sign too', async () => {
    const { act, get, capture, receiver } = await setup({ secret: SECRET });
    const before = Date.now();
    const { secret, previous_expires_at } = expectStatus(200, await act('rotate-secret'));
    server.secrets.push(secret);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Date.parse(previous_expires_at) - before).toBeGreaterThanOrEqual(86_400_000);
    expect(Date.parse(previous_expires_at) - before).toBeLessThan(86_460_000);
    expect(await get()).toMatchObject({
      secret: `********${secret.slice(-4)}`,
      previous_expires_at,
    });
    await capture();
    const [received] = await receiver.received(1);
    expect(signatures(received?.headers['webhook-signature'])).toBe(2);
  });

  test('takes a secret, which no answer repeats', async () => {
    const { act, get } = await setup({ secret: 'the first secret' });
    const rotated = await act('rotate-secret', { secret: SECRET, overlap: '30d' });
    expect(rotated.json).toEqual({ previous_expires_at: expect.stringMatching(/Z$/) });
    expect((await get()).secret).toBe('********b7oD');
  });

  test('without an overlap ends the old secret at once', async () => {
    const { act, get, capture, receiver } = await setup({ secret: 'the first secret' });
    const { json } = await act('rotate-secret', { secret: SECRET, overlap: '0s' });
    expect(json).toEqual({ previous_expires_at: null });
    expect(await get()).not.toHaveProperty('previous_expires_at');
    await capture();
    const [received] = await receiver.received(1);
    expect(signatures(received?.headers['webhook-signature'])).toBe(1);
  });

  test('gives a destination without a secret its first one', async () => {
    const { act, get } = await setup();
    const { secret, previous_expires_at } = expectStatus(200, await act('rotate-secret', {}));
    server.secrets.push(secret);
    expect(previous_expires_at).toBeNull();
    expect((await get()).secret).toBe(`********${secret.slice(-4)}`);
  });

  test.each([[{ secret: 'the third secret' }], [{ secret: null }]])(
    'is ended by the patch %j',
    async (body) => {
      const { act, get, patch } = await setup({ secret: SECRET });
      expectStatus(200, await act('rotate-secret', { secret: 'the second secret' }));
      expect(await get()).toHaveProperty('previous_expires_at');
      expect(await patch(body)).not.toHaveProperty('previous_expires_at');
    },
  );

  test.each([
    [{ secret: '' }, 'secret'],
    [{ secret: 'whsec_!' }, 'secret'],
    [{ secret: '********b7oD' }, 'secret'],
    [{ secret: null }, 'secret'],
    [{ overlap: '31d' }, 'overlap'],
    [{ overlap: '24' }, 'overlap'],
    [{ overlap: 24 }, 'overlap'],
    [{ overlp: '24h' }, 'overlp'],
  ])('refuses %j', async (body, path) => {
    const { act, get } = await setup({ secret: SECRET });
    const before = await get();
    const { status, json } = await act('rotate-secret', body);
    expect([status, json.error.code, json.error.issues[0].path]).toEqual([
      400,
      'invalid_input',
      path,
    ]);
    expect(await get()).toEqual(before);
  });
});

test.each(['probe', 'discard', 'rotate-secret'])(
  '%s of a removed or another endpoint’s destination is 404',
  async (action) => {
    const { account, act, path, id } = await setup();
    const other = await account.createEndpoint();
    const there = `/api/endpoints/${other.id}/destinations/${id}/${action}`;
    const foreign = await account.call('POST', there);
    expectStatus(204, await account.call('DELETE', path));
    for (const { status, json } of [foreign, await act(action)]) {
      expect([status, json.error.code]).toEqual([404, 'destination_not_found']);
    }
    expect((await callApi(server, 'POST', `${path}/${action}`)).status).toBe(401);
  },
);
