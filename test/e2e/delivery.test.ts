import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { closingWhenReused } from '../delivery/receivers.ts';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { hang, httpReceiver, type Received, status } from '../fixtures/receiver.ts';
import { serverOfFile, type TestServer } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

/* From a capture URL to a destination and into the record: the whole server, real receivers. */

failOnLeaks();
const server = serverOfFile({ retryAttempts: 3, attemptTimeout: 2000 });
/** Waits as long as a destination asks for. */
const patient = serverOfFile({ retryAttempts: 2, retryMax: 60_000 });

async function setup(to: TestServer = server) {
  const account = await register(to);
  const endpoint = await account.createEndpoint();
  const events = `/api/endpoints/${endpoint.id}/events`;
  return {
    account,
    endpoint,
    /** Waits for an event's status, and returns the event. */
    becomes: (id: string, wanted: string) =>
      until(`${id} is ${wanted}`, async () => {
        const event = await account.event(endpoint, id);
        return event.status === wanted && event;
      }),
    attempts: (id: string) => account.attempts(endpoint, id),
    event: (id: string) => account.event(endpoint, id),
    capture: (body = '{}', headers = {}) => capture(endpoint.capture_url, body, { headers }),
    addDestination: (url: string, secret?: string, settings?: Record<string, unknown>) =>
      account.addDestination(endpoint, url, secret, settings),
    removeDestination: async (id: string, query = '') =>
      expectStatus(
        204,
        await account.call('DELETE', `/api/endpoints/${endpoint.id}/destinations/${id}${query}`),
      ),
    replay: async (id: string) =>
      expectStatus(202, await account.call('POST', `${events}/${id}/replay`)),
    replayMany: (body: object) =>
      account.call('POST', `/api/endpoints/${endpoint.id}/replay`, body),
  };
}

/** Asks for a wait that is long enough to see the delivery wait. */
const LATER = status(503, { 'retry-after': '1' });

const bodies = (requests: Received[]) => requests.map(({ body }) => body.toString());

describe('a delivered request', () => {
  test('is the captured one, signed so that standardwebhooks verifies it', async () => {
    const target = await httpReceiver();
    const own = await setup();
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    await own.addDestination(`${target.url}/base?k=v`, secret);
    const body = '{ "n": 12345678901234567890, "é": "😀" }';
    const id = await capture(`${own.endpoint.capture_url}/sub/%zz?q=%zz`, body, {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        'X-Sender-Signature': 'sha256=abc',
        'X-Twice': ['1', '2'],
        'webhook-id': 'the sender’s own'.replace('’', "'"),
        'webhook-signature': 'v1,forged',
        'x-hookrelay-event': 'evt_forged',
        cookie: 'a=b',
        authorization: 'Basic YTpi',
        te: 'trailers',
        connection: 'close, x-hop',
        'x-hop': 'by hop',
        'accept-encoding': 'gzip',
      },
    });
    const [request] = (await target.received(1)) as [Received];
    expect(request).toMatchObject({ method: 'PUT', target: '/base/sub/%zz?k=v&q=%zz' });
    expect(request.body.toString()).toBe(body);
    const { headers } = request;
    expect(headers).toMatchObject({
      host: new URL(target.url).host,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-sender-signature': 'sha256=abc',
      'x-twice': '1, 2',
      cookie: 'a=b',
      authorization: 'Basic YTpi',
      'x-hookrelay-event': id,
      'x-hookrelay-attempt': '1',
      'x-hookrelay-trigger': 'capture',
      'x-hookrelay-delivery': expect.stringMatching(/^dlv_/),
      'webhook-id': id,
    });
    for (const name of ['te', 'x-hop', 'accept-encoding', 'expect', 'transfer-encoding']) {
      expect(headers[name], name).toBeUndefined();
    }
    new Webhook(secret).verify(request.body, headers as Record<string, string>);
    await own.becomes(id, 'delivered');
  });

  test('is signed by the bytes of a secret without whsec_', async () => {
    const target = await httpReceiver();
    const own = await setup();
    await own.addDestination(target.url, 'a simple passphrase');
    await own.capture('hello');
    const [request] = (await target.received(1)) as [Received];
    const encoded = Buffer.from('a simple passphrase').toString('base64');
    const verify = (key: string) => () =>
      new Webhook(key).verify(
        // The package parses the verified body.
        request.body,
        request.headers as Record<string, string>,
      );
    expect(verify('whsec_AAAA')).toThrow(/signature/i);
    expect(verify(encoded)).toThrow(/JSON/);
  });

  test('keeps the sender’s own webhook-* without a secret', async () => {
    const target = await httpReceiver();
    const own = await setup();
    await own.addDestination(target.url);
    const theirs = {
      'webhook-id': 'msg_theirs',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,theirs',
    };
    await own.capture('{}', theirs);
    const [request] = (await target.received(1)) as [Received];
    expect(request.headers).toMatchObject(theirs);
  });

  test('has the same bytes: numbers, compressed bodies, or none', async () => {
    const target = await httpReceiver();
    const own = await setup();
    await own.addDestination(target.url);
    const sent = ['1e400', '-0', '{"a":1.0,"a":2}', '\u001f\u008b\b', '', '\ud83d\ude00', '\0'];
    for (const body of sent) await own.capture(body, { 'content-encoding': 'gzip' });
    const requests = await target.received(sent.length);
    expect(bodies(requests).sort()).toEqual([...sent].sort());
    expect(requests.every(({ headers }) => headers['content-encoding'] === 'gzip')).toBe(true);
  });

  test('has its method, with a body if there was one', async () => {
    const target = await httpReceiver();
    const own = await setup();
    await own.addDestination(target.url);
    const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PATCH', 'QUERY'];
    for (const method of methods) {
      await capture(own.endpoint.capture_url, method, { method });
      await capture(own.endpoint.capture_url, '', { method });
    }
    const requests = await target.received(14);
    const seen = requests.map(({ method, body }) => `${method} ${body}`.trim()).sort();
    expect(seen).toEqual(methods.flatMap((method) => [method, `${method} ${method}`]).sort());
  });

  test('goes to every destination of the moment of capture, and to no other', async () => {
    const [one, two, late] = [await httpReceiver(), await httpReceiver(), await httpReceiver()];
    const own = await setup();
    const first = await own.capture('before');
    await own.addDestination(one.url);
    await own.addDestination(two.url);
    await own.capture('now');
    await own.becomes(await own.capture('again'), 'delivered');
    await own.addDestination(late.url);
    expect(bodies(one.requests).sort()).toEqual(['again', 'now']);
    expect(bodies(two.requests).sort()).toEqual(['again', 'now']);
    expect(late.requests).toEqual([]);
    expect((await own.event(first)).status).toBe('received');
  });
});

describe('attempts', () => {
  test('are repeated until one succeeds, each on record', async () => {
    const target = await httpReceiver();
    target.respond = (request, res) => {
      const isLast = request.headers['x-hookrelay-attempt'] === '3';
      res.writeHead(isLast ? 201 : 500, { 'x-a': 'b' }).end(`answer ${target.requests.length}`);
    };
    const own = await setup();
    const destination = await own.addDestination(target.url);
    const id = await own.capture();
    const event = await own.becomes(id, 'delivered');
    const attempts = await own.attempts(id);
    expect(
      attempts.map(({ attempt, response_code, response_body }) => [
        attempt,
        response_code,
        response_body,
      ]),
    ).toEqual([
      [1, 500, 'answer 1'],
      [2, 500, 'answer 2'],
      [3, 201, 'answer 3'],
    ]);
    expect(attempts.map(({ next_attempt_at }) => next_attempt_at !== null)).toEqual([
      true,
      true,
      false,
    ]);
    expect(event.deliveries).toEqual([
      expect.objectContaining({
        destination_id: destination.id,
        state: 'succeeded',
        attempts: 3,
        next_attempt_at: null,
      }),
    ]);
    expect(event.attempts).toBe(3);
    // The same message each time: event and delivery ids stay.
    for (const name of ['webhook-id', 'x-hookrelay-delivery']) {
      expect(new Set(target.requests.map(({ headers }) => headers[name])).size).toBe(1);
    }
    expect(target.requests.map(({ headers }) => headers['x-hookrelay-attempt'])).toEqual([
      '1',
      '2',
      '3',
    ]);
    // No attempt comes early.
    for (const [i, { next_attempt_at }] of attempts.slice(0, 2).entries()) {
      const next = target.requests[i + 1] as Received;
      expect(next.at).toBeGreaterThanOrEqual(Date.parse(next_attempt_at) - 1);
    }
  });

  test('end after the last one: delivery and event are dead', async () => {
    const target = await httpReceiver(status(500));
    const own = await setup();
    await own.addDestination(target.url);
    const id = await own.capture();
    const event = await own.becomes(id, 'dead_letter');
    expect(event.deliveries[0]).toMatchObject({ state: 'dead', attempts: 3 });
    expect(await own.attempts(id)).toHaveLength(3);
    expect(target.requests).toHaveLength(3);
  });

  test('410 ends them at once', async () => {
    const target = await httpReceiver(status(410));
    const own = await setup();
    await own.addDestination(target.url);
    const id = await own.capture();
    await own.becomes(id, 'dead_letter');
    expect(target.requests).toHaveLength(1);
  });

  test('wait as long as Retry-After asks', async () => {
    const target = await httpReceiver(status(429, { 'retry-after': '1' }));
    const own = await setup(patient);
    await own.addDestination(target.url);
    const id = await own.capture();
    const [, second] = (await target.received(2)) as [Received, Received];
    const [first] = await own.attempts(id);
    const waited = second.at - Date.parse(first.attempted_at);
    expect(waited).toBeGreaterThanOrEqual(990);
    expect(waited).toBeLessThan(4000);
  });

  test('fail on a redirect, which is not followed', async () => {
    const elsewhere = await httpReceiver();
    const target = await httpReceiver(status(307, { location: `${elsewhere.url}/` }));
    const own = await setup();
    await own.addDestination(target.url);
    const id = await own.capture();
    await own.becomes(id, 'dead_letter');
    expect((await own.attempts(id)).map(({ response_code }) => response_code)).toEqual([
      307, 307, 307,
    ]);
    expect(elsewhere.requests).toEqual([]);
  });

  test('have a named error', async () => {
    const closed = await httpReceiver();
    const refused = closed.url;
    await closed.close();
    const hanging = await httpReceiver(hang);
    const resetting = await httpReceiver((_request, res) => {
      res.socket?.destroy();
    });
    const own = await setup();
    const once = { retry: { attempts: 1, base: '1s', factor: 1, max: '1s' } };
    const named = new Map<string, string>();
    for (const [url, code] of [
      [refused, 'connect_refused'],
      [hanging.url, 'timeout'],
      [resetting.url, 'reset'],
      ['http://nonexistent.invalid/', 'dns_error'],
      [hanging.url.replace('http:', 'https:'), 'tls_error'],
    ] as const) {
      const settings = { ...once, ...(code === 'timeout' && { timeout: '1s' }) };
      named.set((await own.addDestination(url, undefined, settings)).id, code);
    }
    const id = await own.capture();
    await own.becomes(id, 'dead_letter');
    const attempts = await own.attempts(id);
    expect(attempts).toHaveLength(5);
    for (const { destination_id, response_code, response_body, error } of attempts) {
      expect(error).toEqual({
        code: named.get(destination_id),
        message: expect.stringMatching(/./),
      });
      expect([response_code, response_body]).toEqual([null, null]);
    }
  });

  test('are repeated on a new connection after a kept one was closed', async () => {
    const target = await closingWhenReused('resetAndDestroy');
    const own = await setup();
    await own.addDestination(target.origin);
    const ids: string[] = [];
    // Sequential requests, so each finds the previous one's connection.
    for (let i = 0; i < 8; i++) {
      const id = await own.capture();
      ids.push(id);
      await until('it is tried', async () => (await own.attempts(id)).length > 0);
    }
    const kinds = new Set<string>();
    for (const id of ids) {
      await own.becomes(id, 'delivered');
      kinds.add((await own.attempts(id)).map(({ error }) => error?.code ?? 'ok').join(' '));
    }
    expect([...kinds].sort()).toEqual(['ok', 'reset ok']);
  });

  test('keep the first 16 KiB of a response', async () => {
    const target = await httpReceiver((_request, res) => {
      res.end('é'.repeat(10_000));
    });
    const own = await setup();
    await own.addDestination(target.url);
    const id = await own.capture();
    await own.becomes(id, 'delivered');
    const [attempt] = await own.attempts(id);
    expect(attempt.response_truncated).toBe(true);
    expect(attempt.response_body).toBe('é'.repeat(8192));
  });

  test('leave an event failed until its failing destination is given up', async () => {
    const [good, bad] = [await httpReceiver(), await httpReceiver(LATER)];
    const own = await setup(patient);
    await own.addDestination(good.url);
    await own.addDestination(bad.url);
    const id = await own.capture();
    const failed = await own.becomes(id, 'failed');
    expect(failed.deliveries.map(({ state }: { state: string }) => state).sort()).toContain(
      'pending',
    );
    await bad.received(2);
    const dead = await own.becomes(id, 'dead_letter');
    expect(dead.deliveries.map(({ state }: { state: string }) => state).sort()).toEqual([
      'dead',
      'succeeded',
    ]);
    expect(good.requests).toHaveLength(1);
  });
});

test('a loop ends with an error of that name', async () => {
  const own = await setup();
  await own.addDestination(own.endpoint.capture_url);
  await own.capture('{"round": "and round"}');
  await until('the last is dead', async () => {
    return (await own.account.list(own.endpoint, '?status=dead_letter')).total === 1;
  });
  // The first request and five relays. The sixth relay's request is stored and goes
  // no further.
  const { data, total } = await own.account.list(own.endpoint);
  expect(total).toBe(7);
  expect(data.map(({ status: state }) => state)).toEqual([
    'dead_letter',
    ...Array.from({ length: 6 }, () => 'delivered'),
  ]);
  const attempts = await own.attempts(data[0].id);
  expect(attempts).toHaveLength(1);
  expect(attempts[0].error.code).toBe('loop');
});

describe('deliveries end', () => {
  /** A failing destination whose retry comes later. */
  async function failing() {
    const target = await httpReceiver(LATER);
    const own = await setup(patient);
    const destination = await own.addDestination(target.url);
    const id = await own.capture();
    await own.becomes(id, 'failed');
    return { target, own, destination, id };
  }

  test('on their own after their destination is removed', async () => {
    const { target, own, destination, id } = await failing();
    await own.removeDestination(destination.id);
    const later = await own.capture('later');
    await target.received(2);
    await own.becomes(id, 'dead_letter');
    expect(bodies(target.requests)).toEqual(['{}', '{}']);
    expect((await own.event(later)).status).toBe('received');
    const attempts = await own.attempts(id);
    expect(attempts.map(({ destination_id }) => destination_id)).toEqual([
      destination.id,
      destination.id,
    ]);
  });

  test('at once with ?pending=cancel', async () => {
    const { target, own, destination, id } = await failing();
    await own.removeDestination(destination.id, '?pending=cancel');
    const event = await own.event(id);
    expect(event.status).toBe('received');
    expect(event.deliveries).toEqual([
      expect.objectContaining({ state: 'cancelled', next_attempt_at: null, attempts: 1 }),
    ]);
    // The other destination's retry of the same time comes, this one's doesn't.
    await own.addDestination(target.url);
    const other = await own.capture('other');
    await target.received(3);
    await own.becomes(other, 'dead_letter');
    expect(bodies(target.requests)).toEqual(['{}', 'other', 'other']);
    expect(await own.attempts(id)).toHaveLength(1);
  });

  test('with their endpoint', async () => {
    const { target, own } = await failing();
    const other = await own.account.createEndpoint();
    await own.account.addDestination(other, target.url);
    expect((await own.account.call('DELETE', `/api/endpoints/${own.endpoint.id}`)).status).toBe(
      204,
    );
    const id = await capture(other.capture_url, 'other');
    await target.received(3);
    await until('the other is given up', async () => {
      return (await own.account.event(other, id)).status === 'dead_letter';
    });
    expect(bodies(target.requests)).toEqual(['{}', 'other', 'other']);
  });

  test('but not with a pause', async () => {
    const { target, own, id } = await failing();
    await own.account.call('PATCH', `/api/endpoints/${own.endpoint.id}`, { is_active: false });
    await target.received(2);
    await own.becomes(id, 'dead_letter');
    expect(target.requests).toHaveLength(2);
    target.respond = status(200);
    expect(await own.replay(id)).toMatchObject({ queued: true, deliveries: 1 });
    await own.becomes(id, 'delivered');
  });
});

describe('replay', () => {
  test('delivers again, as a new round marked as a replay', async () => {
    const target = await httpReceiver(status(410));
    const own = await setup();
    await own.addDestination(target.url);
    const id = await own.capture('{"a":1}');
    await own.becomes(id, 'dead_letter');
    target.respond = status(200);
    expect(await own.replay(id)).toEqual({ queued: true, event_id: id, deliveries: 1 });
    const event = await own.becomes(id, 'delivered');
    expect(event.deliveries).toHaveLength(1);
    expect(event.deliveries[0]).toMatchObject({ trigger: 'replay', attempts: 1 });
    const attempts = await own.attempts(id);
    expect(
      attempts.map(({ attempt, trigger, response_code }) => [attempt, trigger, response_code]),
    ).toEqual([
      [1, 'capture', 410],
      [1, 'replay', 200],
    ]);
    const [first, second] = target.requests as [Received, Received];
    expect(second.headers['x-hookrelay-trigger']).toBe('replay');
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.headers['x-hookrelay-delivery']).not.toBe(first.headers['x-hookrelay-delivery']);
    expect(second.body).toEqual(first.body);
  });

  test('goes to the present destinations, also of an event that had none', async () => {
    const target = await httpReceiver();
    const own = await setup();
    const id = await own.capture();
    await own.addDestination(`${target.url}/1`);
    await own.addDestination(`${target.url}/2`);
    expect((await own.replay(id)).deliveries).toBe(2);
    await own.becomes(id, 'delivered');
    expect(target.requests.map((one) => one.target).sort()).toEqual(['/1', '/2']);
  });

  test('supersedes open deliveries to the same destination, and attempts under way are recorded', async () => {
    const answers: (() => void)[] = [];
    const target = await httpReceiver((_request, res) => {
      const code = answers.length === 0 ? 500 : 200;
      answers.push(() => res.writeHead(code).end());
    });
    const own = await setup(patient);
    await own.addDestination(target.url);
    const id = await own.capture();
    await target.received(1);
    await own.replay(id);
    const during = await own.event(id);
    expect(during.deliveries).toEqual([
      expect.objectContaining({ trigger: 'replay', state: 'pending' }),
    ]);
    answers[0]?.();
    await target.received(2);
    answers[1]?.();
    await own.becomes(id, 'delivered');
    await until('both are on record', async () => (await own.attempts(id)).length === 2);
    const attempts = await own.attempts(id);
    expect(attempts.map(({ trigger, response_code }) => [trigger, response_code])).toEqual([
      ['capture', 500],
      ['replay', 200],
    ]);
    expect(target.requests).toHaveLength(2);
  });

  test('of all matching events counts first', async () => {
    const target = await httpReceiver();
    const own = await setup();
    const ids: string[] = [];
    for (let i = 0; i < 30; i++) ids.push(await own.capture(i % 3 ? 'other' : `wanted ${i}`));
    await own.addDestination(target.url);
    const dry = await own.replayMany({ q: 'wanted', dry_run: true });
    expect([dry.status, dry.json]).toEqual([200, { matching: 10 }]);
    const real = await own.replayMany({ q: 'wanted' });
    expect([real.status, real.json]).toEqual([
      202,
      { queued: 10, job_id: expect.stringMatching(/^job_/) },
    ]);
    await target.received(10);
    await until('all are delivered', async () => {
      return (await own.account.list(own.endpoint, '?status=delivered')).total === 10;
    });
    expect(bodies(target.requests).sort()).toEqual(
      ids.flatMap((_, i) => (i % 3 ? [] : [`wanted ${i}`])).sort(),
    );
    for (const { headers } of target.requests)
      expect(headers['x-hookrelay-trigger']).toBe('replay');
    const none = await own.replayMany({ status: 'dead_letter' });
    expect(none.json).toMatchObject({ queued: 0 });
  });

  test('of more events than a slice delivers each once, and nothing captured later', async () => {
    const target = await httpReceiver();
    const own = await setup();
    await Promise.all(Array.from({ length: 120 }, (_, i) => own.capture(`${i}`)));
    await own.addDestination(target.url);
    expect((await own.replayMany({ status: 'received' })).json).toMatchObject({ queued: 120 });
    const late = await Promise.all(Array.from({ length: 20 }, (_, i) => own.capture(`late ${i}`)));
    await until('all are delivered', async () => {
      return (await own.account.list(own.endpoint, '?status=delivered')).total === 140;
    });
    const seen = bodies(target.requests);
    expect(seen).toHaveLength(140);
    expect(new Set(seen).size).toBe(140);
    for (const id of late) {
      expect((await own.event(id)).deliveries[0].trigger).toBe('capture');
    }
  });

  test('of matching events answers 400 to a wrong filter', async () => {
    const own = await setup();
    for (const [name, value] of Object.entries({
      ...{ status: 'lost', from: 'yesterday', to: 7, dry_run: 'yes', q: 'x'.repeat(257) },
    })) {
      const { status: code, json } = await own.replayMany({ [name]: value });
      expect([code, json.error?.issues[0].path]).toEqual([400, name]);
    }
  });
});

test('forty hanging destinations do not slow another', async () => {
  const held: (() => void)[] = [];
  const hanging = await httpReceiver((_request, res) => {
    held.push(() => res.end());
  });
  const healthy = await httpReceiver();
  const own = await setup(patient);
  const dead = await own.account.createEndpoint();
  for (let i = 0; i < 40; i++) await own.account.addDestination(dead, `${hanging.url}/${i}`);
  await own.addDestination(healthy.url);
  await own.becomes(await own.capture('first'), 'delivered');
  await Promise.all(Array.from({ length: 10 }, () => capture(dead.capture_url)));
  await hanging.received(40);
  await Promise.all(Array.from({ length: 100 }, (_, i) => own.capture(`${i}`)));
  await healthy.received(101);
  // None of them has ended yet, and none has more than one slot.
  expect(hanging.requests).toHaveLength(40);
  hanging.respond = status(200);
  for (const answer of held) answer();
});
