import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import type { ReplayJobAnswer } from '../../../src/api/replays/replay-answer.ts';
import { type Account, capture, expectStatus, register } from '../../fixtures/account.ts';
import { makeToken } from '../../fixtures/api-tokens.ts';
import { openStream } from '../../fixtures/event-stream.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, type Received, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/* Replays to some destinations and to a URL, and bulk replays with their progress. */

failOnLeaks();
const server = serverOfFile();

let account: Account;
beforeAll(async () => {
  account = await register(server);
});

const destinationsOf = ({ id }: EndpointAnswer) => `/api/endpoints/${id}/destinations`;

async function add(endpoint: EndpointAnswer, input: object): Promise<string> {
  const added = await account.call('POST', destinationsOf(endpoint), input);
  return expectStatus(201, added).id;
}

async function patch(endpoint: EndpointAnswer, id: string, input: object): Promise<void> {
  expectStatus(200, await account.call('PATCH', `${destinationsOf(endpoint)}/${id}`, input));
}

const replay = (endpoint: EndpointAnswer, eventId: string, body?: unknown) =>
  account.call('POST', `/api/endpoints/${endpoint.id}/events/${eventId}/replay`, body);
const replayAll = (endpoint: EndpointAnswer, body: object) =>
  account.call('POST', `/api/endpoints/${endpoint.id}/replay`, body);

const job = async (endpoint: EndpointAnswer, id: string): Promise<ReplayJobAnswer> =>
  expectStatus(200, await account.call('GET', `/api/endpoints/${endpoint.id}/replays/${id}`));

const jobAs = (endpoint: EndpointAnswer, id: string, wanted: (one: ReplayJobAnswer) => boolean) =>
  until('the job is as told', async () => {
    const found = await job(endpoint, id);
    return wanted(found) ? found : null;
  });

const withStatus = (endpoint: EndpointAnswer, id: string, wanted: string) =>
  until(`the event is ${wanted}`, async () => {
    const event = await account.event(endpoint, id);
    return event.status === wanted ? event : null;
  });

describe('a replay of one event', () => {
  test('goes to the named destinations alone', async () => {
    const endpoint = await account.createEndpoint();
    const [first, second] = [await httpReceiver(), await httpReceiver()];
    await add(endpoint, { url: first.url });
    const named = await add(endpoint, { url: second.url });
    const eventId = await capture(endpoint.capture_url);
    await withStatus(endpoint, eventId, 'delivered');
    const answer = expectStatus(202, await replay(endpoint, eventId, { destination_ids: [named] }));
    expect(answer).toEqual({ queued: true, event_id: eventId, deliveries: 1 });
    const [, again] = (await second.received(2)) as [Received, Received];
    expect(again.headers['x-hookrelay-trigger']).toBe('replay');
    const event = await withStatus(endpoint, eventId, 'delivered');
    expect(first.requests).toHaveLength(1);
    expect(event.deliveries).toHaveLength(2);
  });

  test.each([undefined, {}, ''])('goes to all with the body %j', async (body) => {
    const endpoint = await account.createEndpoint();
    const receivers = [await httpReceiver(), await httpReceiver()];
    for (const { url } of receivers) await add(endpoint, { url });
    const eventId = await capture(endpoint.capture_url);
    await withStatus(endpoint, eventId, 'delivered');
    expect(expectStatus(202, await replay(endpoint, eventId, body)).deliveries).toBe(2);
    for (const receiver of receivers) await receiver.received(2);
    await withStatus(endpoint, eventId, 'delivered');
  });

  test('goes once to a URL, without secret and headers of a destination', async () => {
    const endpoint = await account.createEndpoint();
    const [own, other] = [await httpReceiver(), await httpReceiver()];
    await add(endpoint, { url: own.url, secret: 'a secret', headers: { 'x-tenant': '7' } });
    const eventId = await capture(`${endpoint.capture_url}/a?b=1`, '{"a":1}');
    await withStatus(endpoint, eventId, 'delivered');
    const stream = await openStream(server, '/api/stream', account.authorization);
    const url = `${other.url}/hooks`;
    expect(expectStatus(202, await replay(endpoint, eventId, { url }))).toEqual({
      queued: true,
      event_id: eventId,
      deliveries: 1,
    });
    const [request] = (await other.received(1)) as [Received];
    expect([request.target, request.body.toString()]).toEqual(['/hooks/a?b=1', '{"a":1}']);
    expect(request.headers).not.toHaveProperty('webhook-signature');
    expect(request.headers).not.toHaveProperty('x-tenant');
    expect(own.requests).toHaveLength(1);
    const [frame] = await stream.received('attempt');
    expect(frame?.data).toMatchObject({ destination_id: null, destination_url: url });
    const [, attempt] = await account.attempts(endpoint, eventId);
    expect(attempt).toMatchObject({
      destination_id: null,
      destination_url: url,
      trigger: 'replay',
    });
    const { deliveries } = await account.event(endpoint, eventId);
    expect(deliveries).toContainEqual(
      expect.objectContaining({ destination_id: null, destination_url: url, state: 'succeeded' }),
    );
    const one = expectStatus(
      200,
      await account.call('GET', `/api/deliveries/${attempt.delivery_id}`),
    );
    expect(one).toMatchObject({ destination_id: null, destination_url: url });
    // It is no destination.
    const present = expectStatus(200, await account.call('GET', destinationsOf(endpoint)));
    expect(present).toHaveLength(1);
  });

  test('to a URL doesn’t change the status of the event', async () => {
    const endpoint = await account.createEndpoint();
    const [own, other] = [await httpReceiver(), await httpReceiver(status(410))];
    await add(endpoint, { url: own.url });
    const eventId = await capture(endpoint.capture_url);
    await withStatus(endpoint, eventId, 'delivered');
    expectStatus(202, await replay(endpoint, eventId, { url: other.url }));
    await until('the delivery is dead', async () => {
      const { deliveries } = await account.event(endpoint, eventId);
      return deliveries.some(({ state }: { state: string }) => state === 'dead');
    });
    expect((await account.event(endpoint, eventId)).status).toBe('delivered');
  });

  test('is not for a disabled destination, and waits for a paused one', async () => {
    const endpoint = await account.createEndpoint();
    const { url } = await httpReceiver();
    const id = await add(endpoint, { url, state: 'disabled' });
    const eventId = await capture(endpoint.capture_url);
    const refused = await replay(endpoint, eventId, { destination_ids: [id] });
    expect([refused.status, refused.json.error.code, refused.json.error.hint]).toEqual([
      409,
      'destination_disabled',
      `hookrelay destinations resume ${endpoint.id} ${id}`,
    ]);
    expect(expectStatus(202, await replay(endpoint, eventId)).deliveries).toBe(0);
    await patch(endpoint, id, { state: 'paused' });
    expectStatus(202, await replay(endpoint, eventId, { destination_ids: [id] }));
    const { deliveries } = await account.event(endpoint, eventId);
    expect(deliveries).toMatchObject([{ state: 'pending', waits_for: 'paused' }]);
    await patch(endpoint, id, { state: 'active' });
    await withStatus(endpoint, eventId, 'delivered');
  });

  test('is not for another endpoint’s destination, and then for none', async () => {
    const endpoint = await account.createEndpoint();
    const { url } = await httpReceiver();
    const own = await add(endpoint, { url });
    const foreign = await add(await account.createEndpoint(), { url });
    const eventId = await capture(endpoint.capture_url);
    await withStatus(endpoint, eventId, 'delivered');
    for (const ids of [[foreign], [own, foreign], ['dst_none']]) {
      const { status: code, json } = await replay(endpoint, eventId, { destination_ids: ids });
      expect([code, json.error.code]).toEqual([404, 'destination_not_found']);
      expect(json.error.message).toContain(ids.at(-1));
      expect(json.error.hint).toBe(`hookrelay destinations list ${endpoint.id}`);
    }
    expect((await account.event(endpoint, eventId)).deliveries).toHaveLength(1);
  });

  test.each<[unknown, string]>([
    [{ destination_ids: [] }, 'destination_ids'],
    [{ destination_ids: 'dst_1' }, 'destination_ids'],
    [{ destination_ids: ['a b'] }, 'destination_ids.0'],
    [{ destination_ids: ['dst_1', 'dst_1'] }, 'destination_ids'],
    [{ destination_ids: Array.from({ length: 101 }, (_, i) => `dst_${i}`) }, 'destination_ids'],
    [{ destination_ids: ['dst_1'], url: 'https://198.51.100.1/' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'nonsense' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ destination_id: 'dst_1' }, 'destination_id'],
  ])('refuses %j', async (body, path) => {
    const endpoint = await account.createEndpoint();
    const eventId = await capture(endpoint.capture_url);
    const { status: code, json } = await replay(endpoint, eventId, body);
    expect([code, json.error.code, json.error.issues[0].path]).toEqual([
      400,
      'invalid_input',
      path,
    ]);
  });
});

describe('a bulk replay', () => {
  async function delivered(count: number) {
    const endpoint = await account.createEndpoint();
    const receiver = await httpReceiver();
    const id = await add(endpoint, { url: receiver.url });
    const events: string[] = [];
    for (let i = 0; i < count; i++) {
      events.push(await capture(endpoint.capture_url, `{"n": ${i}}`));
    }
    for (const eventId of events) await withStatus(endpoint, eventId, 'delivered');
    return { endpoint, receiver, id, events };
  }

  test('shows its progress, and goes to the named destinations alone', async () => {
    const { endpoint, receiver, events } = await delivered(3);
    const other = await httpReceiver();
    const named = await add(endpoint, { url: other.url });
    const answer = expectStatus(202, await replayAll(endpoint, { destination_ids: [named] }));
    expect(answer).toEqual({ queued: 3, job_id: expect.stringMatching(/^job_/) });
    const requests = await other.received(3);
    expect(requests.map(({ headers }) => headers['x-hookrelay-event']).sort()).toEqual(
      [...events].sort(),
    );
    const done = await jobAs(endpoint, answer.job_id, ({ state }) => state === 'done');
    expect(done).toEqual({
      id: answer.job_id,
      state: 'done',
      matching: 3,
      queued: 3,
      delivered: 3,
      dead: 0,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(receiver.requests).toHaveLength(3);
  });

  test('of what a filter dropped is judged by its filter of now', async () => {
    const endpoint = await account.createEndpoint();
    const receiver = await httpReceiver();
    const id = await add(endpoint, { url: receiver.url, filter: 'body.n>=10' });
    for (const n of [1, 5, 10]) await capture(endpoint.capture_url, `{"n": ${n}}`);
    await receiver.received(1);
    await patch(endpoint, id, { filter: 'body.n>=5' });
    const dry = await replayAll(endpoint, { filtered_by: id, dry_run: true });
    expect([dry.status, dry.json]).toEqual([200, { matching: 2 }]);
    const { job_id } = expectStatus(202, await replayAll(endpoint, { filtered_by: id }));
    const done = await jobAs(endpoint, job_id, ({ state }) => state === 'done');
    expect(done).toMatchObject({ matching: 2, queued: 1, delivered: 1 });
    expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()).n)).toEqual([10, 5]);
    expect(
      expectStatus(200, await replayAll(endpoint, { filtered_by: id, dry_run: true })),
    ).toEqual({ matching: 1 });
  });

  test('is stopped, with what it has queued', async () => {
    const { endpoint, id } = await delivered(3);
    await patch(endpoint, id, { state: 'paused' });
    const { job_id } = expectStatus(202, await replayAll(endpoint, {}));
    await jobAs(endpoint, job_id, ({ queued }) => queued === 3);
    expect((await job(endpoint, job_id)).state).toBe('running');
    const path = `/api/endpoints/${endpoint.id}/replays/${job_id}`;
    expect((await account.call('DELETE', path)).status).toBe(204);
    const stopped = await job(endpoint, job_id);
    expect(stopped).toMatchObject({ state: 'cancelled', queued: 3, delivered: 0, dead: 0 });
    const pending = `/api/endpoints/${endpoint.id}/deliveries?state=pending`;
    expect(expectStatus(200, await account.call('GET', pending)).total).toBe(0);
    expect((await account.call('DELETE', path)).status).toBe(204);
    expect(await job(endpoint, job_id)).toEqual(stopped);
  });

  test('that is over stays as it is when it is stopped', async () => {
    const { endpoint } = await delivered(1);
    const { job_id } = expectStatus(202, await replayAll(endpoint, {}));
    const done = await jobAs(endpoint, job_id, ({ state }) => state === 'done');
    const path = `/api/endpoints/${endpoint.id}/replays/${job_id}`;
    expect((await account.call('DELETE', path)).status).toBe(204);
    expect(await job(endpoint, job_id)).toEqual(done);
  });

  test('is listed in pages, newest first', async () => {
    const { endpoint } = await delivered(1);
    const ids: string[] = [];
    for (const q of ['n', '{']) {
      const { job_id } = expectStatus(202, await replayAll(endpoint, { q }));
      await jobAs(endpoint, job_id, ({ state }) => state === 'done');
      ids.unshift(job_id);
    }
    const path = `/api/endpoints/${endpoint.id}/replays`;
    const all = expectStatus(200, await account.call('GET', path));
    expect(all).toMatchObject({ page: 1, limit: 50, total: 2 });
    expect(all.data.map((one: ReplayJobAnswer) => one.id)).toEqual(ids);
    const second = expectStatus(200, await account.call('GET', `${path}?page=2&limit=1`));
    expect(second).toEqual({ data: [all.data[1]], page: 2, limit: 1, total: 2 });
    for (const query of ['page=0', 'limit=1001', 'limit=x']) {
      expect((await account.call('GET', `${path}?${query}`)).status).toBe(400);
    }
  });

  test.each([
    ['destination_ids', (id: string) => ({ destination_ids: [id] })],
    ['filtered_by', (id: string) => ({ filtered_by: id })],
  ])('refuses foreign and disabled destinations in %s', async (_, naming) => {
    const { endpoint, id } = await delivered(1);
    const foreign = await add(await account.createEndpoint(), { url: 'http://127.0.0.1:1/' });
    await patch(endpoint, id, { state: 'disabled' });
    for (const dry_run of [false, true]) {
      for (const [named, code] of [
        [foreign, 'destination_not_found'],
        ['dst_none', 'destination_not_found'],
        [id, 'destination_disabled'],
      ] as const) {
        const { json } = await replayAll(endpoint, { ...naming(named), dry_run });
        expect(json.error?.code).toBe(code);
        expect(json.error.message).toContain(named);
        expect(json.error.hint).toMatch(new RegExp(`^hookrelay destinations \\w+ ${endpoint.id}`));
      }
    }
    const list = await account.call('GET', `/api/endpoints/${endpoint.id}/replays`);
    expect(expectStatus(200, list).total).toBe(0);
  });

  test.each([{}, { dry_run: true }])('refuses unknown members, with %j', async (others) => {
    const { endpoint, id } = await delivered(1);
    const { status: code, json } = await replayAll(endpoint, { ...others, destination_id: id });
    expect([code, json.error.code, json.error.issues]).toEqual([
      400,
      'invalid_input',
      [{ path: 'destination_id', message: 'is not a known member' }],
    ]);
    const list = await account.call('GET', `/api/endpoints/${endpoint.id}/replays`);
    expect(expectStatus(200, list).total).toBe(0);
  });

  test('takes destination_ids or filtered_by, not both', async () => {
    const { endpoint, id } = await delivered(1);
    const { status: code, json } = await replayAll(endpoint, {
      destination_ids: [id],
      filtered_by: id,
    });
    expect([code, json.error.issues[0].path]).toEqual([400, 'filtered_by']);
  });

  test('is its endpoint’s alone', async () => {
    const { endpoint } = await delivered(1);
    const other = await account.createEndpoint();
    const { job_id } = expectStatus(202, await replayAll(endpoint, {}));
    await jobAs(endpoint, job_id, ({ state }) => state === 'done');
    const stranger = await register(server);
    const theirs = await stranger.createEndpoint();
    const { authorization } = await makeToken(server, account, { endpoint_ids: [other.id] });
    const limited = { headers: { authorization } };
    for (const method of ['GET', 'DELETE']) {
      const own = `/api/endpoints/${endpoint.id}/replays/${job_id}`;
      for (const [code, answer] of [
        ['endpoint_not_found', await stranger.call(method, own)],
        ['endpoint_not_found', await account.call(method, own, undefined, limited)],
        [
          'replay_not_found',
          await stranger.call(method, `/api/endpoints/${theirs.id}/replays/${job_id}`),
        ],
        [
          'replay_not_found',
          await account.call(method, `/api/endpoints/${other.id}/replays/${job_id}`),
        ],
        [
          'replay_not_found',
          await account.call(method, `/api/endpoints/${endpoint.id}/replays/job_none`),
        ],
      ] as const) {
        expect([answer.status, answer.json?.error.code]).toEqual([404, code]);
      }
    }
    expect((await job(endpoint, job_id)).state).toBe('done');
  });
});

describe('an order', () => {
  test('is a setting that is created, changed and shown', async () => {
    const endpoint = await account.createEndpoint();
    const id = await add(endpoint, { url: 'http://127.0.0.1:1/', order_by: ' body.customer.id ' });
    const path = `${destinationsOf(endpoint)}/${id}`;
    const shown = async () => expectStatus(200, await account.call('GET', path)).order_by;
    expect(await shown()).toBe('body.customer.id');
    await patch(endpoint, id, { order_by: '*' });
    expect(await shown()).toBe('*');
    await patch(endpoint, id, { order_by: null });
    expect(await shown()).toBeNull();
    for (const order_by of ['body.items[*].id', 'bdy.a', '', 7]) {
      const { status: code, json } = await account.call('PATCH', path, { order_by });
      expect([code, json.error.issues[0].path]).toEqual([400, 'order_by']);
    }
  });

  test('lets the next delivery go where one is cancelled', async () => {
    const endpoint = await account.createEndpoint();
    const receiver = await httpReceiver(status(500));
    const retry = { schedule: ['1h'] };
    await add(endpoint, { url: receiver.url, order_by: 'body.k', retry });
    const first = await capture(endpoint.capture_url, '{"k": 1}');
    await receiver.received(1);
    const second = await capture(endpoint.capture_url, '{"k": 1}');
    const other = await capture(endpoint.capture_url, '{"k": 2}');
    await receiver.received(2);
    const waiting = await until('the first waits for its retry', async () => {
      const [delivery] = (await account.event(endpoint, first)).deliveries;
      return delivery.waits_for === 'retry' ? delivery : null;
    });
    const [behind] = (await account.event(endpoint, second)).deliveries;
    expect(behind).toMatchObject({ waits_for: 'order', next_attempt_at: null, attempts: 0 });
    expectStatus(204, await account.call('POST', `/api/deliveries/${waiting.id}/cancel`));
    const requests = await receiver.received(3);
    expect(requests.map(({ headers }) => headers['x-hookrelay-event'])).toEqual([
      first,
      other,
      second,
    ]);
  });
});

describe('an endpoint’s retention', () => {
  test('is created, changed and shown', async () => {
    const endpoint = await account.createEndpoint({ retention: '48h' });
    expect(endpoint.retention).toBe('48h');
    expect((await account.createEndpoint()).retention).toBeNull();
    const path = `/api/endpoints/${endpoint.id}`;
    for (const [given, shown] of [
      ['72h', '3d'],
      ['3650d', '3650d'],
      ['1m', '1m'],
      [null, null],
    ]) {
      const patched = expectStatus(200, await account.call('PATCH', path, { retention: given }));
      expect(patched.retention).toBe(shown);
      expect(expectStatus(200, await account.call('GET', path)).retention).toBe(shown);
    }
    await account.call('PATCH', path, { retention: '7d' });
    expect(expectStatus(200, await account.call('PATCH', path, { name: 'x' })).retention).toBe(
      '7d',
    );
  });

  test.each(['59s', '3651d', '7', 7, '', '7w'])('refuses %j', async (retention) => {
    const endpoint = await account.createEndpoint();
    for (const [method, path, body] of [
      ['POST', '/api/endpoints', { name: 'x', retention }],
      ['PATCH', `/api/endpoints/${endpoint.id}`, { retention }],
    ] as const) {
      const { status: code, json } = await account.call(method, path, body);
      expect([code, json.error.issues[0].path]).toEqual([400, 'retention']);
    }
  });
});
