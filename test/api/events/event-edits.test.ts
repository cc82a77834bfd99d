import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { MAX_EDIT_BYTES } from '../../../src/core/limits.ts';
import { type Account, capture, expectStatus, register } from '../../fixtures/account.ts';
import { openStream } from '../../fixtures/event-stream.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, type Received, status } from '../../fixtures/receiver.ts';
import { runServer, serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';

/* Edited copies of events, and the deletion of events. */

failOnLeaks();
const MAX_BODY_BYTES = 4096;
const server = serverOfFile({ maxBody: MAX_BODY_BYTES });

let account: Account;
beforeAll(async () => {
  account = await register(server);
});

async function setup(body = '{"a": 1}') {
  const endpoint = await account.createEndpoint();
  const eventId = await capture(`${endpoint.capture_url}/orders?x=1`, body, {
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-tenant': ['1', '2'],
    },
  });
  const path = `/api/endpoints/${endpoint.id}/events/${eventId}`;
  return {
    endpoint,
    eventId,
    path,
    edit: (edits?: unknown) => account.call('POST', `${path}/edit`, edits),
    raw: async (id: string) =>
      (await account.call('GET', `/api/endpoints/${endpoint.id}/events/${id}/raw`)).text,
  };
}

describe('an edited copy', () => {
  test('is a new event; the original stays', async () => {
    const { endpoint, eventId, edit, raw } = await setup();
    const before = await account.event(endpoint, eventId);
    const copy = expectStatus(201, await edit({ body: { a: 2 } }));
    expect(copy).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      edited_from: eventId,
      method: 'POST',
      path: '/orders',
      query: 'x=1',
      provider: 'github',
      event_type: 'push',
      source_ip: before.source_ip,
      size: 7,
      body: { a: 2 },
      deliveries: [],
    });
    expect(copy.id).not.toBe(eventId);
    expect(copy.headers['content-length']).toBe('7');
    expect(await raw(copy.id)).toBe('{"a":2}');
    expect(await account.event(endpoint, copy.id)).toEqual(copy);
    expect(await account.event(endpoint, eventId)).toEqual(before);
    expect(before.edited_from).toBeNull();
    const { data } = await account.list(endpoint, '?view=summary');
    expect(data.map((one) => [one.id, one.edited_from])).toEqual([
      [copy.id, eventId],
      [eventId, null],
    ]);
  });

  test('is the same request without edits', async () => {
    const { endpoint, eventId, edit, raw } = await setup();
    const before = await account.event(endpoint, eventId);
    for (const edits of [undefined, {}]) {
      const copy = expectStatus(201, await edit(edits));
      expect(copy.raw_headers).toEqual(before.raw_headers);
      expect(await raw(copy.id)).toBe('{"a": 1}');
    }
  });

  test.each<[string, unknown, string]>([
    ['a text, as it is', '{"a":  1.0}', '{"a":  1.0}'],
    ['an empty text', '', ''],
    ['a number with all its digits', 12345678901234567890n, '12345678901234567890'],
    ['null', null, 'null'],
    ['a list', [1, 'é'], '[1,"é"]'],
  ])('has a body that is %s', async (_, body, text) => {
    const { edit, raw } = await setup();
    const json = typeof body === 'bigint' ? `{"body": ${body}}` : JSON.stringify({ body });
    const copy = expectStatus(201, await edit(json));
    expect([copy.size, await raw(copy.id)]).toEqual([Buffer.byteLength(text), text]);
  });

  test('has a body of any bytes', async () => {
    const { edit } = await setup();
    const copy = expectStatus(201, await edit({ body_base64: '/wD/' }));
    expect([copy.size, copy.body, copy.body_encoding]).toEqual([3, '/wD/', 'base64']);
  });

  test('changes and removes single headers, and knows another provider by them', async () => {
    const { edit } = await setup();
    const headers = {
      'X-Tenant': '3',
      'x-github-event': null,
      'stripe-signature': 't=1',
      constructor: 'c',
    };
    const copy = expectStatus(
      201,
      await edit({ headers, body: { type: 'invoice.paid', object: 'event' } }),
    );
    expect(copy.headers).toMatchObject({
      'x-tenant': '3',
      'stripe-signature': 't=1',
      'content-type': 'application/json',
      constructor: 'c',
    });
    expect(copy.headers).not.toHaveProperty('x-github-event');
    expect([copy.provider, copy.event_type]).toEqual(['stripe', 'invoice.paid']);
  });

  test('is filtered, delivered and live like any event', async () => {
    const { endpoint, edit } = await setup();
    const receiver = await httpReceiver();
    const list = `/api/endpoints/${endpoint.id}/destinations`;
    const filter = 'body.a=2';
    expectStatus(201, await account.call('POST', list, { url: receiver.url, filter }));
    const stream = await openStream(server, '/api/stream', account.authorization);
    const dropped = expectStatus(201, await edit({ body: { a: 3 } }));
    const taken = expectStatus(201, await edit({ method: 'PUT', path: '/b', body: { a: 2 } }));
    const [request] = (await receiver.received(1)) as [Received];
    expect([request.method, request.target, request.body.toString()]).toEqual([
      'PUT',
      '/b?x=1',
      '{"a":2}',
    ]);
    expect(request.headers).toMatchObject({
      'x-hookrelay-event': taken.id,
      'x-hookrelay-trigger': 'capture',
      'content-length': '7',
    });
    await until('it is delivered', async () => {
      return (await account.event(endpoint, taken.id)).status === 'delivered';
    });
    const { deliveries } = await account.event(endpoint, dropped.id);
    expect(deliveries).toMatchObject([{ state: 'filtered' }]);
    const frames = await stream.received('event', 2);
    expect(frames.map(({ data }) => [data.id, data.edited_from])).toEqual([
      [dropped.id, dropped.edited_from],
      [taken.id, taken.edited_from],
    ]);
  });

  test('goes to the destinations that a person names, whatever their filters say', async () => {
    const { endpoint, edit } = await setup();
    const list = `/api/endpoints/${endpoint.id}/destinations`;
    const receiver = await httpReceiver();
    const [staging, production] = await Promise.all(
      ['staging', 'production'].map(async (name) =>
        expectStatus(
          201,
          await account.call('POST', list, {
            url: `${receiver.url}/${name}`,
            name,
            filter: 'method=PUT',
          }),
        ),
      ),
    );
    const copy = expectStatus(201, await edit({ body: {}, destination_ids: [staging.id] }));
    expect(copy).not.toHaveProperty('warnings');
    expect(copy.deliveries).toMatchObject([{ destination_id: staging.id }]);
    const [request] = (await receiver.received(1)) as [Received];
    expect(request.target).toMatch(/^\/staging/);
    await account.call('PATCH', `${list}/${production.id}`, { state: 'disabled' });
    for (const [id, code] of [
      [production.id, 'destination_disabled'],
      [newId('dst', 1), 'destination_not_found'],
    ]) {
      const { json } = await edit({ destination_ids: [id] });
      expect(json.error.code).toBe(code);
    }
    expect((await account.list(endpoint)).total).toBe(2);
  });

  test('leaves out destinations that sign as the provider unless they are named', async () => {
    const secret = 'whsec-of-github';
    const endpoint = await account.createEndpoint({
      source: { provider: 'github', secrets: [secret] },
    });
    const list = `/api/endpoints/${endpoint.id}/destinations`;
    const receiver = await httpReceiver();
    const add = async (settings: object) =>
      expectStatus(201, await account.call('POST', list, settings));
    const plain = await add({ url: `${receiver.url}/plain` });
    const ledger = await add({ url: receiver.url, name: 'ledger', sign_as: 'provider' });
    const body = '{"a":1}';
    const eventId = await capture(endpoint.capture_url, body, {
      headers: {
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
    });
    const edit = async (edits: object) =>
      expectStatus(
        201,
        await account.call('POST', `/api/endpoints/${endpoint.id}/events/${eventId}/edit`, edits),
      );
    const copy = await edit({ body: { a: 2 } });
    expect(copy.deliveries).toMatchObject([{ destination_id: plain.id }]);
    expect(copy.warnings).toEqual([
      {
        path: 'destination_ids',
        code: 'sign_as_left_out',
        message: expect.stringContaining('ledger'),
        destination_id: ledger.id,
      },
      {
        path: 'headers',
        code: 'signature_mismatch',
        message: expect.stringContaining('X-Hub-Signature-256'),
      },
    ]);
    const named = await edit({ path: '/b', destination_ids: [ledger.id] });
    expect(named.deliveries).toMatchObject([{ destination_id: ledger.id }]);
    expect(named.warnings).toMatchObject([{ code: 'not_verified', destination_id: ledger.id }]);
    await until('the named one fails for the reason in the warning', async () => {
      const [delivery] = (await account.event(endpoint, named.id)).deliveries;
      return delivery?.state === 'dead';
    });
    const unsigned = await edit({
      body: { a: 2 },
      headers: { 'x-hub-signature-256': null },
      destination_ids: [plain.id],
    });
    expect(unsigned).not.toHaveProperty('warnings');
  });

  test.each<[string, unknown, string]>([
    ['no destination', { destination_ids: [] }, 'destination_ids'],
    ['an unknown member', { header: {} }, 'header'],
    ['two bodies', { body: 1, body_base64: '' }, 'body_base64'],
    ['no base64', { body_base64: 'Y' }, 'body_base64'],
    ['a method that isn’t captured', { method: 'TRACE' }, 'method'],
    ['a method in lower case', { method: 'post' }, 'method'],
    ['a path without /', { path: 'a' }, 'path'],
    ['a path with a query', { path: '/a?b' }, 'path'],
    ['a path with a blank', { path: '/a b' }, 'path'],
    ['a query with a fragment', { query: 'a#b' }, 'query'],
    ['a header’s name with a blank', { headers: { 'a b': 'c' } }, 'headers.a b'],
    ['a line end in a header', { headers: { a: 'b\r\nc: d' } }, 'headers.a'],
    ['NUL in a header', { headers: { a: 'b\0' } }, 'headers.a'],
    ['a character beyond ISO 8859-1', { headers: { a: ['b', '€'] } }, 'headers.a'],
    ['a number in a header', { headers: { a: 1 } }, 'headers.a'],
    ['no value', { headers: { a: [] } }, 'headers.a'],
    ['two names that differ by case', { headers: { a: 'b', A: 'c' } }, 'headers.A'],
    ['a list of headers', { headers: [['a', 'b']] }, 'headers'],
    ['headers of 17 KB', { headers: { a: 'b'.repeat(17_000) } }, 'headers'],
  ])('refuses %s', async (_, edits, path) => {
    const { endpoint, edit } = await setup();
    const { status: answer, json } = await edit(edits);
    expect([answer, json.error.code, json.error.issues?.[0].path]).toEqual([
      400,
      'invalid_input',
      path,
    ]);
    expect((await account.list(endpoint)).total).toBe(1);
  });

  test('has at most the bytes that a capture may have', async () => {
    const { edit } = await setup();
    const most = 'x'.repeat(MAX_BODY_BYTES);
    expect(expectStatus(201, await edit({ body: most })).size).toBe(MAX_BODY_BYTES);
    for (const edits of [
      { body: `${most}x` },
      { body_base64: Buffer.from(`${most}x`).toString('base64') },
    ]) {
      const { status: answer, json } = await edit(edits);
      expect([answer, json.error.code]).toEqual([413, 'payload_too_large']);
    }
  });

  test('is at most 1 MiB of JSON; the other parts of a larger event can be changed', async () => {
    const wide = await runServer();
    const owner = await register(wide);
    const endpoint = await owner.createEndpoint();
    const large = 'x'.repeat(2 * MAX_EDIT_BYTES);
    const eventId = await capture(endpoint.capture_url, large);
    const edit = (edits: unknown) =>
      owner.call('POST', `/api/endpoints/${endpoint.id}/events/${eventId}/edit`, edits);
    const most = MAX_EDIT_BYTES - '{"body":""}'.length;
    expect(expectStatus(201, await edit({ body: 'x'.repeat(most) })).size).toBe(most);
    const { status: answer, json } = await edit({ body: 'x'.repeat(most + 1) });
    expect([answer, json.error.code]).toEqual([413, 'payload_too_large']);
    const copy = expectStatus(201, await edit({ headers: { 'x-tenant': '7' } }));
    expect([copy.size, copy.headers['x-tenant']]).toEqual([large.length, '7']);
  });

  test('with a new body isn’t labelled as compressed', async () => {
    const endpoint = await account.createEndpoint();
    const receiver = await httpReceiver();
    const list = `/api/endpoints/${endpoint.id}/destinations`;
    expectStatus(201, await account.call('POST', list, { url: receiver.url }));
    const eventId = await capture(endpoint.capture_url, gzipSync('{"a": 1}'), {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    const path = `/api/endpoints/${endpoint.id}/events/${eventId}/edit`;
    for (const edits of [
      { body: { a: 2 } },
      { body_base64: gzipSync('{}').toString('base64'), headers: { 'content-encoding': 'gzip' } },
      { headers: { 'x-tenant': '7' } },
    ]) {
      expectStatus(201, await account.call('POST', path, edits));
    }
    const requests = await receiver.received(4);
    const encodings = requests.map(({ headers }) => headers['content-encoding']);
    expect(encodings.toSorted()).toEqual(['gzip', 'gzip', 'gzip', undefined]);
    const plain = requests.find(({ headers }) => !headers['content-encoding']);
    expect(plain?.body.toString()).toBe('{"a":2}');
  });

  test('is refused where a value is nested too deeply to be written', async () => {
    const { edit } = await setup();
    const { status: answer, json } = await edit(
      `{"body": ${'['.repeat(100_000)}1e400${']'.repeat(100_000)}}`,
    );
    expect([answer, json.error.issues]).toEqual([
      400,
      [{ path: 'body', message: expect.stringContaining('too deeply') }],
    ]);
  });

  test('is refused where the endpoint is paused', async () => {
    const { endpoint, edit } = await setup();
    await account.call('PATCH', `/api/endpoints/${endpoint.id}`, { is_active: false });
    const { status: answer, json } = await edit({});
    expect([answer, json.error.code, json.error.hint]).toEqual([
      409,
      'endpoint_paused',
      `hookrelay endpoints resume ${endpoint.id}`,
    ]);
    expect((await account.list(endpoint)).total).toBe(1);
  });
});

describe('a deleted event', () => {
  test('is gone with all that belongs to it', async () => {
    const { endpoint, eventId, path, edit } = await setup();
    const copy = expectStatus(201, await edit({}));
    expectStatus(204, await account.call('DELETE', path));
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/raw`],
      ['GET', `/api/events/${eventId}`],
      ['POST', `${path}/replay`],
      ['POST', `${path}/edit`],
      ['DELETE', path],
    ] as const) {
      const { status: answer, json } = await account.call(method, at);
      expect([at, answer, json.error.code]).toEqual([at, 404, 'event_not_found']);
    }
    expect((await account.list(endpoint)).data.map(({ id }) => id)).toEqual([copy.id]);
    expect((await account.event(endpoint, copy.id)).edited_from).toBe(eventId);
  });

  test('has no further attempts, and lets the next of its order key go', async () => {
    const { endpoint } = await setup();
    const receiver = await httpReceiver(status(500));
    const list = `/api/endpoints/${endpoint.id}/destinations`;
    const input = { url: receiver.url, order_by: 'body.key', retry: { schedule: ['1h'] } };
    expectStatus(201, await account.call('POST', list, input));
    const first = await capture(endpoint.capture_url, '{"key": "k"}');
    await receiver.received(1);
    const second = await capture(endpoint.capture_url, '{"key": "k"}');
    await until('the second waits for its order', async () => {
      const { deliveries } = await account.event(endpoint, second);
      return deliveries[0]?.waits_for === 'order' && deliveries[0].next_attempt_at === null;
    });
    await until('the first waits for its retry', async () => {
      return (await account.event(endpoint, first)).deliveries[0]?.waits_for === 'retry';
    });
    expectStatus(
      204,
      await account.call('DELETE', `${list.replace('destinations', 'events')}/${first}`),
    );
    const requests = await receiver.received(2);
    expect(requests.map(({ headers }) => headers['x-hookrelay-event'])).toEqual([first, second]);
  });
});
