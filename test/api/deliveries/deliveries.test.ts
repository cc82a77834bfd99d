import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, capture, expectStatus, register } from '../../fixtures/account.ts';
import { makeToken } from '../../fixtures/api-tokens.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, ok, type Respond, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

failOnLeaks();
const server = serverOfFile();

let account: Account;
beforeAll(async () => {
  account = await register(server);
});

async function setup(input: object = {}, respond: Respond = ok) {
  const receiver = await httpReceiver(respond);
  const endpoint = await account.createEndpoint();
  const list = `/api/endpoints/${endpoint.id}/destinations`;
  const added = await account.call('POST', list, { url: receiver.url, ...input });
  const { id } = expectStatus(201, added);
  const deliveries = async (query = '') =>
    expectStatus(
      200,
      await account.call('GET', `/api/endpoints/${endpoint.id}/deliveries${query}`),
    );
  return {
    endpoint,
    receiver,
    id,
    path: `${list}/${id}`,
    deliveries,
    /** Captures a request. Returns its delivery once it is as told. */
    async delivered(wanted: (delivery: { state: string; attempts: number }) => boolean) {
      const eventId = await capture(endpoint.capture_url, '{"a": 1}');
      return until('the delivery is as told', async () => {
        const { data } = await deliveries();
        const found = data.find((one: { event_id: string }) => one.event_id === eventId);
        return found && wanted(found) ? found : null;
      });
    },
  };
}

const act = (id: string, action: 'retry' | 'cancel') =>
  account.call('POST', `/api/deliveries/${id}/${action}`);
const get = async (id: string) =>
  expectStatus(200, await account.call('GET', `/api/deliveries/${id}`));

/** A policy whose second attempt is far away. */
const LATER = { schedule: ['1h'] };

describe('the list of deliveries', () => {
  test('shows each delivery of the endpoint, newest first, in pages', async () => {
    const { deliveries, delivered, id } = await setup();
    const first = await delivered(({ state }) => state === 'succeeded');
    const second = await delivered(({ state }) => state === 'succeeded');
    expect(first).toEqual({
      id: expect.stringMatching(/^dlv_/),
      event_id: expect.stringMatching(/^evt_/),
      destination_id: id,
      destination_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
      state: 'succeeded',
      attempts: 1,
      error: null,
      created_at: expect.stringMatching(/Z$/),
      next_attempt_at: null,
      waits_for: null,
      unjudged: null,
    });
    expect(await deliveries()).toEqual({ data: [second, first], page: 1, limit: 50, total: 2 });
    expect(await deliveries('?limit=1&page=2')).toEqual({
      data: [first],
      page: 2,
      limit: 1,
      total: 2,
    });
    expect(await get(first.id)).toEqual(first);
  });

  test('is filtered by state and destination', async () => {
    const { deliveries, delivered, id, endpoint } = await setup();
    const paused = expectStatus(
      201,
      await account.call('POST', `/api/endpoints/${endpoint.id}/destinations`, {
        url: 'http://127.0.0.1:1/',
        state: 'paused',
      }),
    );
    await account.call('POST', `/api/endpoints/${endpoint.id}/destinations`, {
      url: 'http://127.0.0.1:1/',
      filter: 'method=PUT',
    });
    await delivered(() => true);
    await until('one succeeded', async () => (await deliveries('?state=succeeded')).total === 1);
    const of = async (query: string) => {
      const { data } = await deliveries(query);
      return data.map((one: { destination_id: string; state: string; waits_for: unknown }) => [
        one.destination_id,
        one.state,
        one.waits_for,
      ]);
    };
    expect(await of('?state=succeeded')).toEqual([[id, 'succeeded', null]]);
    expect(await of('?state=pending')).toEqual([[paused.id, 'pending', 'paused']]);
    expect(await of(`?destination=${paused.id}`)).toEqual([[paused.id, 'pending', 'paused']]);
    expect(await of(`?destination=${id}&state=pending`)).toEqual([]);
    expect(await of('?state=filtered')).toMatchObject([[expect.any(String), 'filtered', null]]);
    expect(await of('?destination=dst_none')).toEqual([]);
    expect(await of('')).toHaveLength(2);
  });

  test.each([
    ['state=open', 'state'],
    ['destination=%00', 'destination'],
    ['destination=a%20b', 'destination'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['page=0', 'page'],
  ])('refuses ?%s', async (query, path) => {
    const { endpoint } = await setup();
    const target = `/api/endpoints/${endpoint.id}/deliveries?${query}`;
    const { status, json } = await account.call('GET', target);
    expect([status, json.error.issues?.[0].path]).toEqual([400, path]);
  });
});

describe('a retry', () => {
  test('makes one attempt now of a delivery that waits', async () => {
    const { delivered, receiver } = await setup({ retry: LATER }, status(500));
    const waiting = await delivered(({ attempts }) => attempts === 1);
    expect(waiting).toMatchObject({ state: 'pending', waits_for: 'retry' });
    receiver.respond = ok;
    const { status: code, json } = await act(waiting.id, 'retry');
    expect([code, json.id]).toEqual([202, waiting.id]);
    await until('it succeeded', async () => (await get(waiting.id)).state === 'succeeded');
    expect(receiver.requests).toHaveLength(2);
  });

  test('opens a dead delivery again', async () => {
    const { delivered, receiver } = await setup({ retry: { schedule: [] } }, status(500));
    const dead = await delivered(({ state }) => state === 'dead');
    receiver.respond = ok;
    expectStatus(202, await act(dead.id, 'retry'));
    await until('it succeeded', async () => (await get(dead.id)).state === 'succeeded');
  });

  test('doesn’t go past a pause', async () => {
    const { delivered, id, endpoint } = await setup({ state: 'paused' });
    const held = await delivered(() => true);
    const { status, json } = await act(held.id, 'retry');
    expect([status, json.error.code]).toEqual([409, 'destination_paused']);
    expect(json.error.hint).toBe(`hookrelay destinations resume ${endpoint.id} ${id}`);
  });

  test('is refused while twenty others of the destination wait for theirs', async () => {
    const { delivered, receiver } = await setup({ retry: LATER }, status(500));
    const waiting = [];
    for (let i = 0; i < 21; i++) waiting.push(await delivered(({ attempts }) => attempts === 1));
    const held: (() => void)[] = [];
    receiver.respond = (request, res) => held.push(() => ok(request, res));
    for (const { id } of waiting.slice(0, 20)) expectStatus(202, await act(id, 'retry'));
    const { id } = waiting[20] as { id: string };
    const { status: code, json } = await act(id, 'retry');
    expect([code, json.error.code]).toEqual([409, 'limit_reached']);
    receiver.respond = ok;
    await until('they ended', async () => {
      for (const answer of held.splice(0)) answer();
      return (await act(id, 'retry')).status === 202;
    });
    await until('it succeeded', async () => (await get(id)).state === 'succeeded');
  });

  test('of a closed delivery is refused', async () => {
    const { delivered } = await setup();
    const done = await delivered(({ state }) => state === 'succeeded');
    const { status, json } = await act(done.id, 'retry');
    expect([status, json.error.code]).toEqual([409, 'delivery_settled']);
    expect(json.error.hint).toBe(`hookrelay replay ${done.event_id}`);
  });
});

describe('a cancel', () => {
  test('ends an open delivery, once', async () => {
    const { delivered } = await setup({ state: 'paused' });
    const held = await delivered(() => true);
    const { status: code, text } = await act(held.id, 'cancel');
    expect([code, text]).toEqual([204, '']);
    expect(await get(held.id)).toMatchObject({ state: 'cancelled', waits_for: null });
    const again = await act(held.id, 'cancel');
    expect([again.status, again.json.error.code]).toEqual([409, 'delivery_settled']);
  });
});

describe('the request of an attempt', () => {
  test('is the bytes that were sent, and no browser runs them', async () => {
    const { endpoint, receiver } = await setup();
    const body = Buffer.from('<script>é</script>\0\xff', 'latin1');
    const eventId = await capture(endpoint.capture_url, body);
    const attempt = await until('an attempt is on record', async () => {
      return (await account.attempts(endpoint, eventId))[0];
    });
    const target = `/api/attempts/${attempt.id}/request`;
    const { status, body: bytes, headers } = await account.call('GET', target);
    expect(status).toBe(200);
    expect(bytes.equals(body)).toBe(true);
    expect(receiver.requests[0]?.body.equals(body)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${attempt.id}.bin"`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    });
  });

  test('has its headers in the list of attempts, with the destination’s masked', async () => {
    const secret = 'Bearer of a secret value';
    const { endpoint, receiver } = await setup({ headers: { authorization: secret } });
    server.secrets.push(secret);
    const eventId = await capture(endpoint.capture_url, '{}');
    const attempt = await until('an attempt is on record', async () => {
      return (await account.attempts(endpoint, eventId))[0];
    });
    expect(receiver.requests[0]?.headers.authorization).toBe(secret);
    const sent = attempt.request_headers.map(([name, value]: [string, string]) => [
      name.toLowerCase(),
      value,
    ]);
    expect(sent).toContainEqual(['authorization', '********alue']);
    expect(sent).toContainEqual(['webhook-id', expect.any(String)]);
    expect(attempt).toMatchObject({ probe: false, rule_version: 0 });
  });
});

test('another account’s deliveries and attempts, and those beyond a token’s limit, are 404', async () => {
  const { delivered, endpoint } = await setup();
  const { id, event_id } = await delivered(({ state }) => state === 'succeeded');
  const [attempt] = await account.attempts(endpoint, event_id);
  const stranger = await register(server);
  const other = await account.createEndpoint();
  const { authorization } = await makeToken(server, account, { endpoint_ids: [other.id] });
  for (const [method, path] of [
    ['GET', `/api/deliveries/${id}`],
    ['POST', `/api/deliveries/${id}/retry`],
    ['POST', `/api/deliveries/${id}/cancel`],
    ['GET', `/api/attempts/${attempt.id}/request`],
  ] as const) {
    const answers = [
      await stranger.call(method, path),
      await account.call(method, path, undefined, { headers: { authorization } }),
    ];
    for (const { status, json } of answers) {
      expect([status, json.error.code]).toEqual([404, expect.stringMatching(/_not_found$/)]);
    }
  }
});
